export const CAMERAS = 500
/** Empresa 1 is the integrator. This number of Empresas is below it, with equal parts of the cameras. */
export const EMPRESAS = 40
/** Logins of all Empresas. */
export const PESSOAS = 500
/** Plates on the lists of the busy Empresa, its largest number (MAX_PLACAS). */
export const PLACAS = 50_000
/** Passages of the busy Empresa. */
export const PASSAGENS = 2_000
/** One of the five cameras with most events. It has the most discarded candidates that the cloud keeps. */
export const BUSY_CAMERA = 201

/**
 * SQL for the Empresa of the camera with the number `c`, an expression. The numbers stand in the text: the driver binds
 * a number as a real one, and the division would give a fraction.
 */
export const empresaOf = (c: string, cameras: number, empresas: number): string =>
  `2 + (${c} - 1) * ${empresas} / ${cameras}`

/** The Empresa of the busy camera, by the rule of `empresaOf`. */
export const BUSY_EMPRESA = 2 + Math.floor(((BUSY_CAMERA - 1) * EMPRESAS) / CAMERAS)
