import { type IaBench, ofAll } from '../bench-entry.ts'

export const bench: IaBench = {
  labels: {
    // From left to right: a downward movement goes from the left side of the line to its right side (`ab`).
    vehicle_crosses_mid_line: {
      linha: [
        [0, 0.5],
        [1, 0.5],
      ],
    },
  },
  required(detail) {
    const [, moving, direcao] = /\bmoving (up|down)\b|\b(ab|ba)\b/.exec(detail) ?? []
    if (moving) return { direcao: moving === 'down' ? 'ab' : 'ba' }
    return direcao === 'ab' || direcao === 'ba' ? { direcao } : {}
  },
  countsExactly: true,
  bounds: [
    {
      nome: 'cruzamento_linha: no sentido certo, uma vez cada',
      limite: 'todos, sem falsos',
      razao: 'The count must be exact: an extra crossing is as wrong as a missing one.',
      measure({ events }) {
        if (!events || events.rotulos === 0) return null
        const { encontrados, rotulos, falsos } = events
        const valor = `${ofAll(encontrados, rotulos)}, ${falsos} falsos`
        return { valor, ok: encontrados === rotulos && falsos === 0 }
      },
    },
  ],
}
