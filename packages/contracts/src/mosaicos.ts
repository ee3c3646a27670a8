/** Numbers of tiles of a layout of the mosaic. */
export const tamanhosMosaico = [1, 4, 9, 16] as const
export type TamanhoMosaico = (typeof tamanhosMosaico)[number]

/** Seconds of one page of the patrol to choose from; 0: no patrol. A layout may have another one. */
export const rondasMosaico = [0, 10, 20, 30, 60] as const
