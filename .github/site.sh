#!/usr/bin/env bash
# The site: the book of main in front, that of each release below /vX.Y/, and a page that lists them. Needs gh.
set -euo pipefail
site=$1
list=""
for tag in $(gh release list --exclude-drafts --limit 100 --json tagName --jq '.[].tagName'); do
  folder=$(echo "$tag" | cut -d. -f1,2)
  test -e "$site/$folder" && continue # the newest of 0.2.0, 0.2.1, ... comes first
  gh release download "$tag" --pattern '*-book.zip' --output "$tag.zip"
  unzip -q "$tag.zip" -d "$tag-pages"
  mv "$tag-pages"/* "$site/$folder"
  list="$list<li><a href=\"$folder/index.html\">$tag</a></li>"
done
cat > "$site/versions.html" <<PAGE
<!doctype html><html lang="en"><meta charset="utf-8"><title>Versions of the book</title>
<h1>Versions of the book</h1><ul><li><a href="index.html">newest, not released</a></li>$list</ul></html>
PAGE
