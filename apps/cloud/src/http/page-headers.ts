type Query = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Headers of one page.
 * @param path of the list
 * @param total items of all pages
 * @param next cursor of the next page; null: this is the last page
 */
export const cursorPage = (path: string, query: Query, total: number, next: string | null): Record<string, string> => ({
  'x-total-count': String(total),
  ...(next !== null && { link: `<${nextPage(path, { ...query, offset: undefined, cursor: next })}>; rel="next"` }),
})

/** A relative reference (RFC 8288): right behind any proxy and host name. */
function nextPage(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `${path}?${search}`
}
