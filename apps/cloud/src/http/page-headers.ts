type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Headers of one page of a list that is paged by `offset`. @param path of the list; @param total of all pages */
export function offsetPage(
  path: string,
  query: Query & { readonly offset: number; readonly limit: number },
  total: number,
): Record<string, string> {
  const offset = query.offset + query.limit
  return pageHeaders(total, offset < total ? nextPage(path, { ...query, offset }) : null)
}

/** The same of one that is paged by a cursor. @param next cursor of the next page; null: this is the last */
export const cursorPage = (path: string, query: Query, total: number, next: string | null): Record<string, string> =>
  pageHeaders(total, next === null ? null : nextPage(path, { ...query, offset: undefined, cursor: next }))

const pageHeaders = (total: number, next: string | null) => ({
  'x-total-count': String(total),
  ...(next !== null && { link: `<${next}>; rel="next"` }),
})

/** A relative reference (RFC 8288): right behind any proxy and host name. */
function nextPage(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `${path}?${search}`
}
