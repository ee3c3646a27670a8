/** Empresa 1 is the integrator, the following ones are below it with an equal part of the cameras each. */
export const EMPRESAS = 20
/** One of the five cameras with most events. It has the most discarded candidates that the cloud keeps. */
export const BUSY_CAMERA = 201
