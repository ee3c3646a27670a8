/** Screen of a run, CSS pixels, and colour scheme. */
export interface Size {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}

const screens = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
] as const

/** Phone, laptop, desk and wall, each light and dark. */
export const sizes: readonly Size[] = screens.flatMap((screen) =>
  (['light', 'dark'] as const).map((theme) => ({ ...screen, theme })),
)
