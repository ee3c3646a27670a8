import type { Services } from '../../../session/services.ts'

/** Forms of the list of cameras. */
export const vistasCameras = ['imagens', 'tabela'] as const
export type VistaCameras = (typeof vistasCameras)[number]

const KEY = 'vigia.cameras.vista'

/** The form that this browser showed last. */
export const lastVista = (settings: Services['settings']): VistaCameras =>
  vistasCameras.find((one) => one === settings.getItem(KEY)) ?? 'imagens'

/** Keeps the form for the next visit. */
export const keepVista = (settings: Services['settings'], vista: VistaCameras): void => settings.setItem(KEY, vista)
