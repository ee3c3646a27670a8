/** Kinds of new media. Each may displace its own kind and those before it, and no later one. */
export type Incoming = 'copia' | 'gravacao' | 'clipe' | 'imagem'

/** Decides whether the media of an Empresa still fit, before they are written. */
export interface MediaSpace {
  /**
   * Makes space for more bytes of these Empresas, if need be by the deletion of their least important media.
   * @returns the Empresas without enough space, each with a Portuguese sentence: their boxes wait
   */
  waiting(demand: ReadonlyMap<number, number>, incoming: Incoming): Promise<ReadonlyMap<number, string>>
}

/** Time after which a box sends again what had no space. */
export const SPACE_WAIT_S = 60

/** For tests without limits. */
export const unlimitedSpace: MediaSpace = { waiting: async () => new Map() }

/** Bytes of these files by Empresa. */
export function demandOf(
  files: readonly { readonly empresaId: number; readonly bytes: Uint8Array | number }[],
): Map<number, number> {
  const demand = new Map<number, number>()
  for (const { empresaId, bytes } of files)
    demand.set(empresaId, (demand.get(empresaId) ?? 0) + (typeof bytes === 'number' ? bytes : bytes.length))
  return demand
}
