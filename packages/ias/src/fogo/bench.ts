import { type IaBench, ofAll, shareAtLeast, sumOf } from '../bench-entry.ts'

/** The bounds of the task cover flames and smoke. */
export const bench: IaBench = {
  fireLabel: 'chamas',
  absentUnlabelled: 'outside_fires',
  setsDetectorConf: true,
  pictures: [{ item: null, rotulo: 'fire', matches: () => true }],
  bounds: [
    {
      nome: 'fogo: imagens com fogo em que o detector o vê',
      limite: '≥ 90 %',
      razao: 'Nine of ten in a single picture. An event also needs flicker, which a picture lacks.',
      measure({ pictures }) {
        const positive = sumOf(pictures, ({ positivas }) => positivas)
        return positive === 0
          ? null
          : shareAtLeast(
              0.9,
              sumOf(pictures, ({ vistas }) => vistas),
              positive,
            )
      },
    },
    {
      nome: 'fogo e fumaça: imagens sem fogo que disparam',
      limite: 'nenhuma',
      razao: 'A still picture does not burn: neither a poster nor a red wall may call the fire brigade.',
      measure({ task }) {
        // Both IAs use the same pictures of a set.
        const bySet = Map.groupBy(task.pictures, ({ conjunto }) => conjunto)
        const all = sumOf([...bySet.values()], (rows) => Math.max(...rows.map(({ vazias }) => vazias)))
        const raised = new Set(task.pictures.flatMap(({ falsas_vazias }) => falsas_vazias)).size
        return all === 0 ? null : { valor: ofAll(raised, all), ok: raised === 0 }
      },
    },
    {
      nome: 'fogo e fumaça: eventos em vídeos sem fogo',
      limite: 'nenhum',
      razao: 'After a false alarm the fire brigade may not come again.',
      measure({ task }) {
        const some = task.events.filter(({ horas }) => horas > 0)
        const all = sumOf(some, ({ falsos }) => falsos)
        return some.length === 0 ? null : { valor: String(all), ok: all === 0 }
      },
    },
    {
      nome: 'fogo: do primeiro quadro rotulado ao evento',
      limite: 'todos em até 3 s',
      razao: 'Faster than the fire alarm of a building.',
      measure({ events }) {
        if (!events || events.rotulos === 0) return null
        const worst = events.deteccao_s?.pior
        const ok = events.encontrados === events.rotulos && worst !== undefined && worst <= 3
        return { valor: worst === undefined ? 'não encontrado' : `${worst.toFixed(1).replace('.', ',')} s`, ok }
      },
    },
  ],
}
