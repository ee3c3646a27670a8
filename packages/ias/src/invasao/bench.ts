import { type IaBench, ofAll } from '../bench-entry.ts'

export const bench: IaBench = {
  labels: { person_present: {} },
  setsDetectorConf: true,
  bounds: [
    {
      nome: 'invasao: pessoas encontradas',
      limite: 'todas',
      razao: 'The product exists to report every intruder.',
      measure({ events }) {
        if (!events || events.rotulos === 0) return null
        const { encontrados, rotulos } = events
        return { valor: ofAll(encontrados, rotulos), ok: encontrados === rotulos }
      },
    },
    {
      nome: 'invasao: eventos sem ninguém',
      limite: 'nenhum',
      razao: 'Users stop reading alerts that are often false.',
      measure: ({ events }) =>
        events && events.horas > 0 ? { valor: String(events.falsos), ok: events.falsos === 0 } : null,
    },
  ],
}
