// Readies the stored first screen that the worker has put into the page (sw/first-screens.ts): removes one of another
// theme or width, writes ages and icons, and starts the app after the first frame. The content policy allows no inline script.
(() => {
  const { main } = document.currentScript.dataset;
  const TAKEOVER_LIMIT = 10_000; // ms
  const FRAME_LIMIT = 2_000; // ms: a covered window may draw no frames

  const find = () => document.getElementById('first-screen');
  const drop = () => find()?.remove();

  function fits({ theme, width }) {
    let chosen = null;
    try {
      chosen = localStorage.getItem('theme');
    } catch {
      // Storage is refused: the system's appearance it is.
    }
    const layout = matchMedia('(width >= 1024px)').matches ? 'wide' : matchMedia('(width >= 768px)').matches ? 'medium' : 'narrow';
    return theme === (chosen ?? 'system') && width === layout;
  }

  // As ui/labels/format-age.ts.
  function age(then) {
    const minutes = Math.floor(Math.max(0, Date.now() - then) / 60_000);
    if (minutes < 1) return 'just now';
    if (minutes < 60) return `${minutes} min ago`;
    return minutes < 1_440 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} d ago`;
  }

  /** A time without its date was of the day that the screen was stored. */
  function writeDate(time, savedAt) {
    const at = new Date(time.dateTime);
    const day = at.toDateString();
    if (day === new Date().toDateString() || day !== new Date(savedAt).toDateString()) return;
    const isDay = time.textContent.startsWith('Today');
    time.textContent = new Intl.DateTimeFormat('en', { dateStyle: 'medium', ...(!isDay && { timeStyle: 'short' }) }).format(at);
  }

  /** Writes what markup cannot hold, or what has changed since the screen was stored. */
  function ready(screen) {
    for (const icon of screen.querySelectorAll('[data-hue]')) {
      icon.style.setProperty('--size', `${icon.dataset.size}px`);
      icon.style.setProperty('--hue', icon.dataset.hue);
    }
    for (const stamp of screen.querySelectorAll('[data-saved-at]')) {
      stamp.textContent = `Saved ${age(Number(stamp.dataset.savedAt))}`;
    }
    for (const time of screen.querySelectorAll('time[datetime]')) writeDate(time, Number(screen.dataset.storedAt));
    screen.dataset.ready = '';
  }

  let isStarted = false;
  function startApp() {
    if (isStarted) return;
    isStarted = true;
    const script = document.createElement('script');
    script.type = 'module';
    script.crossOrigin = '';
    script.src = main;
    script.onerror = drop;
    script.onload = () => tabs.close();
    document.head.append(script);
  }

  function startAfterFirstFrame(screen) {
    if (document.hidden || !screen.isConnected) return startApp();
    setTimeout(startApp, FRAME_LIMIT);
    requestAnimationFrame(() => {
      for (const part of screen.querySelectorAll('[data-opens="end"]')) part.scrollTop = part.scrollHeight;
      setTimeout(startApp);
    });
  }

  // The app listens itself once it runs. Another tab may sign out before.
  const tabs = new BroadcastChannel('tidemark/sign-out');
  tabs.onmessage = drop;
  setTimeout(drop, TAKEOVER_LIMIT);

  // The app repeats the tap on a button when it takes over. Links work without it.
  addEventListener('click', ({ target }) => {
    const control = target.closest?.('#first-screen :is(button, label, summary)');
    if (!control) return;
    document.querySelector('#first-screen [data-tapped]')?.removeAttribute('data-tapped');
    control.dataset.tapped = '';
  });

  // The screen is complete when the parser has reached #root, which follows it. Until then the stylesheet hides it.
  const parser = new MutationObserver(() => {
    if (!document.getElementById('root')) return;
    parser.disconnect();
    const screen = find();
    if (!screen) return tabs.close();
    if (fits(screen.dataset)) ready(screen);
    else drop();
    startAfterFirstFrame(screen);
  });
  parser.observe(document, { childList: true, subtree: true });
})();
