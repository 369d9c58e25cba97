// Excerpts of the pages found are fetched, which browsers refuse to pages opened from the disk: titles only there.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// The page one reads is in sight in the list of pages.
addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".sidebar-scroll"), here = box?.querySelector(".current-page");
  if (here) box.scrollTop += here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
});
