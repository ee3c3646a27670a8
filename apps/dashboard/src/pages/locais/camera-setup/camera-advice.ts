import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { ia, type NomeIa } from '@vigia/contracts/ias'

/** Advice about a camera; the texts are in texts/pt-BR/camera.json. */
export type Advice =
  | 'semIa'
  | 'semLinha'
  | 'poucosQuadros'
  | 'gopLongo'
  | 'semQuadroChave'
  | 'resolucaoBaixa'
  | 'semSub'
  | 'pessoasPequenas'
  | 'pessoasNoLimite'
  | 'pessoasPequenasParaIa'

/** The analysis reads five frames a second; a slower stream loses people who pass quickly. */
const FPS_MIN = 5
const HEIGHT_MIN = 360
/** After each reconnection the analysis waits for a keyframe; makers' defaults are 1 to 4 s. */
export const KEYFRAME_MAX_S = 5
/** Heights of a person of 1.7 m at 25 and 62.5 px/m: the levels "detect" and "observe" of IEC 62676-4. */
export const PERSON_PX_MIN = 42
export const PERSON_PX_GOOD = 106

/** Height of the analysed stream in pixels; null: unknown. */
export function streamHeight(resolucao: string | null): number | null {
  const height = Number(/^\d+x(\d+)$/.exec(resolucao ?? '')?.[1])
  return height > 0 ? height : null
}

/** Median height of the people in `eventos`, in pixels of the analysed stream; null: no person or no resolution. */
export function peopleHeightPx(eventos: readonly Evento[], resolucao: string | null): number | null {
  const height = streamHeight(resolucao)
  const shares = eventos
    .flatMap(({ caixas }) => caixas.filter(({ rotulo }) => rotulo === 'person'))
    .map(({ h }) => h)
    .sort((a, b) => a - b)
  const median = shares[Math.floor(shares.length / 2)]
  return height === null || median === undefined ? null : Math.round(median * height)
}

type Facts = Pick<
  Camera,
  'eventos_habilitados' | 'linha' | 'fps' | 'quadro_chave_s' | 'sem_quadro_chave_s' | 'resolucao' | 'sub_rtsp_url'
>

/** Advice in the order of its weight. @param peoplePx `peopleHeightPx` */
export function adviceFor(camera: Facts, peoplePx: number | null): readonly Advice[] {
  const { eventos_habilitados, linha, fps, resolucao, sub_rtsp_url } = camera
  const height = streamHeight(resolucao)
  const advice: (Advice | false)[] = [
    eventos_habilitados.length === 0 && 'semIa',
    linha.length === 0 && eventos_habilitados.some((nome) => ia(nome).geometria === 'linha') && 'semLinha',
    peopleAdvice(iaOfLargePeople(eventos_habilitados)?.px ?? 0, peoplePx),
    fps !== null && fps < FPS_MIN && 'poucosQuadros',
    keyframeAdvice(camera),
    height !== null && height < HEIGHT_MIN && 'resolucaoBaixa',
    sub_rtsp_url === null && height !== null && height > 1080 && 'semSub',
  ]
  return advice.filter((one) => one !== false)
}

/** The interval is known only after two keyframes; a wait for one shows a long interval before. */
function keyframeAdvice({ quadro_chave_s, sem_quadro_chave_s }: Facts): Advice | false {
  if ((quadro_chave_s ?? 0) > KEYFRAME_MAX_S) return 'gopLongo'
  return (sem_quadro_chave_s ?? 0) > KEYFRAME_MAX_S && 'semQuadroChave'
}

/** The IA that needs the largest people, with their height in pixels; undefined: any detected size is enough. */
export const iaOfLargePeople = (ias: Facts['eventos_habilitados']): { nome: NomeIa; px: number } | undefined =>
  ias
    .map((nome) => ({ nome, px: ia(nome).pessoaPx ?? 0 }))
    .filter(({ px }) => px > 0)
    .toSorted((a, b) => b.px - a.px)[0]

function peopleAdvice(needed: number, px: number | null): Advice | false {
  if (px === null) return false
  if (px < PERSON_PX_MIN) return 'pessoasPequenas'
  if (px < needed) return 'pessoasPequenasParaIa'
  return px < PERSON_PX_GOOD && 'pessoasNoLimite'
}
