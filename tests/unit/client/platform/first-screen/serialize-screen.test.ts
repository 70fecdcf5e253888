import { expect, test } from 'vitest';
import { serializeScreen } from '#client/platform/first-screen/serialize-screen.ts';

const nothing = () => false;

function serialized(html: string): string {
  document.body.innerHTML = html;
  const element = document.body.firstElementChild;
  if (!element) throw new Error('no element');
  return serializeScreen(element, nothing);
}

test('structure, classes, links and labels stay', () => {
  const html = '<ul class="_rows_a1" aria-label="Coins"><li><a class="_row_a1" href="/crypto/details/1">Bitcoin</a></li></ul>';
  expect(serialized(html)).toBe(html);
});

test('ids of messages stay, as far as they are ids', () => {
  const id = '6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4b11';
  expect(serialized(`<ol><li data-id="${id}">one</li><li data-id="a b">two</li></ol>`)).toBe(
    `<ol><li data-id="${id}">one</li><li>two</li></ol>`,
  );
});

test('untrusted text stays text', () => {
  document.body.innerHTML = '<p></p>';
  const line = document.body.firstElementChild as HTMLElement;
  line.textContent = '<img src=x onerror=alert(1)></p><script>alert(2)</script>&amp;';
  line.setAttribute('aria-label', '"><script>alert(3)</script>');
  const html = serializeScreen(line, nothing);
  const read = new DOMParser().parseFromString(html, 'text/html').body;
  expect(read.children).toHaveLength(1);
  expect(read.firstElementChild?.children).toHaveLength(0);
  expect(read.textContent).toBe(line.textContent);
  expect(read.firstElementChild?.getAttribute('aria-label')).toBe('"><script>alert(3)</script>');
});

test('nothing that runs or loads is kept', () => {
  const html = serialized(`<div id="a" onclick="alert(1)" style="background: url(x)" data-text="draft">
    <script>alert(1)</script><style>p { color: red }</style><iframe></iframe><object data="x"></object><template><p>t</p></template>
    <a href="javascript:alert(1)">bad</a><a href="data:text/html,x">data</a><a href="blob:${location.origin}/1">blob</a><a href="//example.org/x">other</a>
    <img src="https://example.org/x.png"><img src="blob:http://localhost/1"><img src="/coins/1.webp" onerror="alert(1)" alt="">
    <svg onload="alert(1)" viewBox="0 0 1 1"><foreignObject><p>x</p></foreignObject><use href="#a"></use><path d="M0 0" fill="url(#a)"></path></svg>
  </div>`);
  expect(html).not.toMatch(/alert|script|style|iframe|object|template|onclick|url\(|draft|id=|blob:|example\.org\/x\.png|foreign|use/);
  expect(html).toContain('<a>bad</a><a>data</a><a>blob</a>');
  expect(html).toContain('href="//example.org/x" target="_blank" rel="noopener noreferrer"');
  expect(html).toContain('<img alt="" src="/coins/1.webp">');
});

test('typed text, drafts and private parts are left out', () => {
  document.body.innerHTML = `<form><input type="text" value="typed first" name="q" placeholder="Search coin..."><textarea rows="1">draft</textarea>
    <input type="radio" name="currency" value="USD" checked><input type="password" value="Secret1!">
    <div data-private=""><p>picture.png</p></div><div contenteditable="true">note</div></form>`;
  const [search] = document.querySelectorAll('input');
  if (search) search.value = 'typed later';
  const html = serializeScreen(document.body.firstElementChild as Element, nothing);
  expect(html).not.toMatch(/typed|draft|Secret1|picture|note|name=|value=|<form/);
  expect(html).toContain('<input type="text" placeholder="Search coin..." readonly>');
  expect(html).toContain('<textarea rows="1" readonly></textarea>');
  expect(html).toContain('<input type="radio" checked>');
});

test('announcements are left out, and their place stays', () => {
  expect(serialized('<div class="place" role="status"><p>You are offline.</p></div>')).toBe('<div class="place" role="status"></div>');
});

test('variables of an icon become numbers, and other styles nothing', () => {
  document.body.innerHTML = '<span></span>';
  const icon = document.body.firstElementChild as HTMLElement;
  icon.style.setProperty('--size', '36px');
  icon.style.setProperty('--hue', '137');
  expect(serializeScreen(icon, nothing)).toBe('<span data-size="36" data-hue="137"></span>');
  icon.style.setProperty('--hue', '1;color:red');
  expect(serializeScreen(icon, nothing)).toBe('<span></span>');
});

test('an element that is left out goes with its content', () => {
  document.body.innerHTML = '<ul><li>one</li><li class="beyond">two</li></ul>';
  const list = document.body.firstElementChild as Element;
  expect(serializeScreen(list, (element) => element.className === 'beyond')).toBe('<ul><li>one</li></ul>');
});
