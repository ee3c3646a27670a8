import { ANALYSED_FPS } from '@vigia/analysis/model'
import { shareOf } from '@vigia/ias/share'
import type { Table } from '@vigia/testing/table'
import { tablesOf as peopleTables } from './ppe/person-result.ts'
import type { EvalResult, IaResult, PictureResult } from './result.ts'
import { SHOWN_FRAMES } from './show-still.ts'
import { OBSTRUCTED_FROM_S } from './stress-runs.ts'

const NONE = '–'
const number = (value: number, digits: number) => value.toFixed(digits).replace('.', ',')
const share = (value: number | null) => (value === null ? NONE : number(value, 2))
/** The share with its count and its 95 % interval. */
function part(found: number, all: number): string {
  const { de, ate } = shareOf(found, all)
  return all === 0 ? NONE : `${share(found / all)} (${found}/${all}; ${share(de)}–${share(ate)})`
}
const INTERVALS = 'Entre parênteses: contagem e intervalo de 95 %'
const points = (value: number | null) => (value === null ? NONE : number(value * 100, 1))

/** All results as tables, in order of importance to a reader. */
export function tablesOf(result: EvalResult): Table[] {
  const all = [
    boundsTable(result),
    iaTable(result),
    detectorTable(result),
    strataTable(result),
    calibrationTable(result),
    pictureTable(result),
    ...(result.pessoas.length > 0 ? peopleTables(result.pessoas) : []),
    stressTable(result),
    obstructionTable(result),
    videoTable(result),
    costTable(result),
    modelTable(result),
  ]
  return all.filter(({ linhas }) => linhas.length > 0)
}

const boundsTable = ({ limites }: EvalResult): Table => ({
  titulo: 'Limites do produto',
  colunas: ['limite', 'pedido', 'medido', ''],
  linhas: limites.map(({ nome, limite, valor, ok }) => [nome, limite, valor, ok ? 'ok' : 'FALHA']),
})

const seconds = ({ deteccao_s: time }: IaResult) =>
  time === null ? NONE : `${number(time.mediana, 1)} / ${number(time.pior, 1)}`

const iaTable = ({ ias }: EvalResult): Table => ({
  titulo: 'Eventos por IA',
  nota:
    'Evento: candidato da borda que o verificador não refutou. ' +
    `Tempo: do início do rótulo ao evento, mediana / pior. ${INTERVALS} (Wilson).`,
  colunas: [
    'IA',
    'rótulos',
    'revocação',
    'precisão',
    'falsos',
    'por hora',
    'horas',
    'repetidos',
    'refutados',
    'tempo s',
    '',
  ],
  linhas: ias.map((one) => [
    one.ia,
    String(one.rotulos),
    part(one.encontrados, one.rotulos),
    one.precisao === null ? NONE : part(one.encontrados, one.encontrados + one.falsos),
    one.horas > 0 ? String(one.falsos) : NONE,
    one.falsos_por_hora === null ? NONE : number(one.falsos_por_hora, 1),
    number(one.horas, 3),
    String(one.repetidos),
    String(one.refutados),
    seconds(one),
    one.nao_medido ?? '',
  ]),
})

const detectorTable = ({ detectores }: EvalResult): Table => ({
  titulo: 'Precisão média dos detectores',
  nota:
    'Caixas que os olhares do produto encontram. AP50 e AP50:95 em %, área sob a curva com todos os pontos. ' +
    'Precisão e revocação das caixas (IoU 0,5) no limiar padrão da IA. ' +
    `${INTERVALS} (Wilson; AP50: 1000 reamostragens das imagens).`,
  colunas: ['conjunto', 'modelo', 'classe', 'imagens', 'rótulos', 'AP50', 'AP50:95', 'limiar', 'precisão', 'revocação'],
  linhas: detectores.map((one) => [
    one.conjunto,
    one.tarefa,
    one.rotulo,
    String(one.imagens),
    String(one.rotulos),
    one.ap50_intervalo === null
      ? points(one.ap50)
      : `${points(one.ap50)} (${points(one.ap50_intervalo.de)}–${points(one.ap50_intervalo.ate)})`,
    points(one.ap50_95),
    number(one.conf, 2),
    part(one.certos, one.achados),
    part(one.certos, one.rotulos),
  ]),
})

const strataTable = ({ faixas }: EvalResult): Table => ({
  titulo: 'Por tamanho e por luz',
  nota:
    'Caixas no limiar padrão da IA (IoU 0,5), todos os conjuntos. Altura da caixa em pixels da imagem; luz: média ' +
    `de brilho da imagem, de 0 a 255. ${INTERVALS} (Wilson).`,
  colunas: ['objetos', 'faixa', 'rótulos', 'revocação', 'precisão'],
  linhas: faixas.map(({ grupo, faixa, rotulos, encontrados, achados, certos }) => [
    grupo,
    faixa,
    String(rotulos),
    part(encontrados, rotulos),
    part(certos, achados),
  ]),
})

const calibrationTable = ({ curvas }: EvalResult): Table => ({
  titulo: 'Confiança e acerto',
  nota: `Caixas de todos os conjuntos por faixa de confiança; certa com IoU 0,5. ${INTERVALS} (Wilson).`,
  colunas: ['modelo', 'classe', 'confiança', 'certas'],
  linhas: curvas.map(({ tarefa, rotulo, de, ate, achados, certos }) => [
    tarefa,
    rotulo,
    Number.isFinite(ate) ? `${number(de, 1)}–${number(ate, 1)}` : `≥ ${number(de, 1)}`,
    part(certos, achados),
  ]),
})

const nameOf = ({ ia, item }: PictureResult) => (item === null ? ia : `${ia}: sem ${item}`)

const pictureTable = ({ imagens }: EvalResult): Table => ({
  titulo: 'Imagens avulsas',
  nota:
    `Cada imagem diante de uma câmera nova por ${SHOWN_FRAMES} quadros iguais, ${ANALYSED_FPS} por segundo. ` +
    'Vista: o detector a vê no limiar padrão em algum olhar. Evento: o produto dispara e o verificador não refuta. ' +
    `${INTERVALS} (Wilson).`,
  colunas: [
    'conjunto',
    'evento',
    'imagens',
    'com rótulo',
    'vistas',
    'revocação',
    'precisão',
    'vistas sem rótulo',
    'eventos com rótulo',
    'sem rótulo',
    'refutados',
  ],
  linhas: imagens.map((one) => {
    const seen = one.vistas + one.vistas_sem.length
    const empty = one.imagens - one.positivas
    return [
      one.conjunto,
      nameOf(one),
      String(one.imagens),
      String(one.positivas),
      String(one.vistas),
      part(one.vistas, one.positivas),
      one.positivas === 0 ? NONE : part(one.vistas, seen),
      part(one.vistas_sem.length, empty),
      part(one.encontradas, one.positivas),
      part(one.falsas.length, empty),
      String(one.refutadas),
    ]
  }),
})

/** One column for each IA with labels in the footage under stress, and one for all false events. */
function stressTable({ estresse }: EvalResult): Table {
  const measured = (estresse[0]?.ias ?? []).filter(({ rotulos }) => rotulos > 0).map(({ ia }) => ia)
  return {
    titulo: 'Estresse sintético',
    nota:
      'Vídeos rotulados, transformados e recodificados: encontrados de rotulados; falsos de todas as IAs. ' +
      `${INTERVALS} (Wilson).`,
    colunas: ['transformação', 'força', ...measured, 'falsos', 'falsos por IA'],
    linhas: estresse.map(({ transformacao, forca, ias }) => [
      transformacao,
      forca,
      ...measured.map((nome) => {
        const one = ias.find(({ ia }) => ia === nome)
        return one ? part(one.encontrados, one.rotulos) : NONE
      }),
      String(ias.reduce((sum, { falsos }) => sum + falsos, 0)),
      ias.flatMap(({ ia, falsos }) => (falsos > 0 ? [`${ia} ${falsos}`] : [])).join(', ') || NONE,
    ]),
  }
}

const obstructionTable = ({ obstrucoes }: EvalResult): Table => ({
  titulo: 'Câmera obstruída (sintético)',
  nota: `Um vídeo rotulado, obstruído a partir de ${OBSTRUCTED_FROM_S} s; o limiar padrão espera 10 s antes do evento.`,
  colunas: ['problema', 'como', 'evento depois de', 'dito', 'falsos antes'],
  linhas: obstrucoes.map(({ problema, forca, depois_s, dito, antes }) => [
    problema,
    forca,
    depois_s === null ? 'PERDIDO' : `${number(depois_s, 1)} s`,
    dito ?? NONE,
    String(antes),
  ]),
})

const videoTable = ({ videos }: EvalResult): Table => ({
  titulo: 'Vídeos',
  colunas: ['vídeo', 's', 'eventos', 'rótulos', 'falsos', ''],
  linhas: videos.map(({ video, durationS, events, scores, failure }) => {
    const labels = scores.flatMap((score) => score.labels)
    return [
      video,
      number(durationS, 1),
      [...Map.groupBy(events, ({ ia }) => ia)].map(([ia, some]) => `${ia} ${some.length}`).join(', ') || NONE,
      part(labels.filter(({ eventS }) => eventS !== null).length, labels.length),
      String(scores.reduce((sum, { falseEvents }) => sum + falseEvents.length, 0)),
      failure === null ? '' : `FALHA de leitura: ${failure}`,
    ]
  }),
})

const costTable = ({ custo, maquina, data, dados }: EvalResult): Table => ({
  titulo: 'Custo e circunstâncias',
  colunas: ['', ''],
  linhas: [
    ['dados', `${dados}: ${number(custo.video_s / 3600, 3)} h de vídeo, ${custo.imagens} imagens`],
    ['data', data],
    ['máquina', maquina],
    [
      'CPU de uma câmera em que sempre se move algo, todas as IAs',
      custo.cpu_por_segundo === null ? NONE : `${number(custo.cpu_por_segundo, 3)} s por segundo de vídeo`,
    ],
    [
      'memória do processo de uma câmera, modelos incluídos',
      custo.memoria_mb === null ? NONE : `${custo.memoria_mb.toFixed(0)} MB`,
    ],
    ['duração da avaliação', `${custo.duracao_s.toFixed(0)} s em ${custo.processos} processo(s)`],
  ],
})

const modelTable = ({ modelos }: EvalResult): Table => ({
  titulo: 'Modelos',
  colunas: ['tarefa', 'modelo', 'sha256', ''],
  linhas: modelos.map(({ tarefa, id, sha256, motivo }) => [
    tarefa,
    id ?? NONE,
    sha256?.slice(0, 12) ?? NONE,
    motivo ?? '',
  ]),
})

/** Lists the missed and the false events for a terminal. */
export function detailsOf({ videos, imagens, notas }: EvalResult): string[] {
  const ofVideos = videos.flatMap(({ video, scores }) =>
    scores.flatMap(({ ia, labels, falseEvents }) => [
      ...labels
        .filter(({ eventS }) => eventS === null)
        .map(({ startS, endS, detail }) => `${video}  ${ia} perdido, ${startS}–${endS} s ${detail}`.trimEnd()),
      ...falseEvents.map(({ atS, motivo }) => `${video}  ${ia} falso aos ${number(atS, 1)} s: ${motivo}`),
    ]),
  )
  // The pictures of single items are too many for a list.
  const wholeEvents = imagens.filter(({ item }) => item === null)
  const ofPictures = wholeEvents.flatMap((one) => [
    ...one.nao_vistas.map((name) => `${name}  ${nameOf(one)} não visto`),
    ...one.falsas.map((name) => `${name}  ${nameOf(one)} falso`),
  ])
  return [...notas, ...ofVideos, ...ofPictures]
}
