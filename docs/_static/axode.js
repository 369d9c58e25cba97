// Excerpts of the pages found are fetched, which browsers refuse to pages opened from the disk: titles only there.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
