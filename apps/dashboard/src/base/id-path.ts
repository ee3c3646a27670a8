import { notFound } from '@tanstack/react-router'

/** A record by its id in the address; any other text is an address without a page. */
export const idPath = {
  parse: ({ id }: { id: string }) => {
    const value = Number(id)
    if (!Number.isSafeInteger(value) || value < 1) throw notFound()
    return { id: value }
  },
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}
