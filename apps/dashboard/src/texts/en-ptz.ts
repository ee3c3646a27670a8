import type { ptz as Ptz } from './pt-br-ptz.ts'
import type { SameTexts } from './shape.ts'

export const ptz: SameTexts<typeof Ptz> = {
  titulo: 'Move the camera',
  alavanca: 'Move: drag, or hold an arrow key; + and − to zoom',
  aproximar: 'Zoom in',
  afastar: 'Zoom out',
  ajuda: 'Drag or hold: the camera stops when you let go. One person moves it at a time.',
  emUso: '{{por}} is moving this camera.',
  abrindo: 'Asking the camera…',
  preset: 'Stored position',
  ir: 'Go',
  base: 'Home position',
  voltando: 'The camera returns to its home position.',
  definirBase: 'Set home position',
  definirBaseAjuda: 'Setting stores the present position in the camera. Then check zones and line.',
  fora:
    'The camera is away from its home position. ' +
    'Until it returns, the AIs that need a zone, a line or the background are paused, and the one for obstruction.',
}
