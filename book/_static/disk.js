// A page opened from disk may not read other pages, so search there lists titles without excerpts.
if (window.location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
