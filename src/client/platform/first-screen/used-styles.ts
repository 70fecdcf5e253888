/** Returns the paths of the page's stylesheets that select by a class of these elements, in order. */
export function usedStyles(elements: Iterable<Element>): string[] {
  const classes = new Set<string>();
  for (const { classList } of elements) for (const name of classList) classes.add(name);
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  return [...links].filter(({ sheet }) => sheet && selects(sheet.cssRules, classes)).map(({ href }) => new URL(href).pathname);
}

const selects = (rules: CSSRuleList, classes: ReadonlySet<string>): boolean =>
  [...rules].some((rule) => {
    const { selectorText = '', cssRules } = rule as CSSRule & { selectorText?: string; cssRules?: CSSRuleList };
    const named = selectorText.match(/\.[\w-]+/g) ?? [];
    return named.some((name) => classes.has(name.slice(1))) || (cssRules !== undefined && selects(cssRules, classes));
  });
