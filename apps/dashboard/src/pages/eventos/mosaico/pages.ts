import { type TamanhoMosaico, tamanhosMosaico } from '@vigia/contracts/mosaicos'
import type { Mosaico } from '@vigia/contracts/preferencias'

/** The smallest layout that shows all cameras, at most the largest one. */
export const sizeFor = (cameras: number): TamanhoMosaico => tamanhosMosaico.find((size) => size >= cameras) ?? 16

/** The cameras of a layout that are in scope, in its order; all of them for a layout without cameras. */
export function chosenOf<C extends { readonly id: number }>(
  cameras: readonly C[],
  layout: Pick<Mosaico, 'cameras'> | undefined,
): readonly C[] {
  if (layout === undefined || layout.cameras.length === 0) return cameras
  return layout.cameras.flatMap((id) => cameras.find((camera) => camera.id === id) ?? [])
}

/** @returns the cameras of one page; the number of pages, at least 1; the page that exists */
export function pageOf<C>(cameras: readonly C[], quadros: number, pagina: number) {
  const pages = Math.max(1, Math.ceil(cameras.length / quadros))
  const page = ((((pagina - 1) % pages) + pages) % pages) + 1
  return { shown: cameras.slice((page - 1) * quadros, page * quadros), pages, page }
}
