/** Joins the pages of a list, newest first. Each record comes once: new records move others to the next page. */
export const flattenPages = <T extends { readonly id: number }>(pages: readonly (readonly T[])[]): T[] =>
  [...new Map(pages.flat().map((record) => [record.id, record])).values()].sort((a, b) => b.id - a.id)
