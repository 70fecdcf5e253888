// Puts the chosen appearance on <html> before the first paint; without a choice the system's counts. A file of its own,
// because the content policy allows no inline script. src/client/platform/device-choices/theme.ts stores the choice and tells this.
(() => {
  const apply = () => {
    let theme = null;
    try {
      theme = localStorage.getItem('theme');
    } catch {
      // Storage is refused: the system's appearance it is.
    }
    const chosen = theme === 'dark' || theme === 'light' ? theme : null;
    if (chosen) document.documentElement.dataset.theme = chosen;
    else delete document.documentElement.dataset.theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      const { scheme } = meta.dataset;
      meta.media = chosen ? (chosen === scheme ? 'all' : 'not all') : `(prefers-color-scheme: ${scheme})`;
    }
  };
  apply();
  addEventListener('storage', apply); // another tab
  addEventListener('theme', apply);
})();
