import { ia as catalogueOf, nomesIas } from '@vigia/contracts/ias'
import type { SugestaoCalibracao, SugestaoQuery } from '@vigia/contracts/sugestoes'
import { threshold } from '@vigia/ias/calibration'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireCamera } from './require-camera.ts'
import { listReviewedConfidences } from './reviewed-store.ts'
import { count, MIN_REVISOES, type NoSuggestion, type Suggestion, suggestConf } from './suggest-conf.ts'
import { viewCamera } from './view-camera.ts'

const [FIRST] = nomesIas

/** Newest reviews that count. */
const REVIEWS_MAX = 1_000

/**
 * Suggests a `conf` for the wanted precision from the reviewed events of the camera and IA. Changes nothing.
 * @throws VigiaError `proibido`, `nao_encontrado`
 */
export async function suggestCalibracao(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  id: number,
  query: SugestaoQuery,
): Promise<SugestaoCalibracao> {
  requireWrite(caller)
  const { config_ia, eventos_habilitados } = viewCamera(await requireCamera(db, caller, id), clock.now())
  const { ia = eventos_habilitados[0] ?? FIRST, precisao } = query
  const maximo = catalogueOf(ia).limiares.conf?.maximo ?? 1
  const conf_atual = threshold(ia, config_ia[ia] ?? {}, 'conf')
  const reviewed = await listReviewedConfidences(db, id, ia, REVIEWS_MAX)
  const { reais: verdadeiros, falsos } = count(reviewed, conf_atual)
  const found = suggestConf(reviewed, { precisao, atual: conf_atual, maximo })
  const counts = { verdadeiros, falsos }
  const common = { ia, precisao, conf_atual, ...counts }
  return typeof found === 'string'
    ? { ...common, sugestao: null, motivo: found, frase: reasonOf(found, { ...counts, precisao, conf_atual }) }
    : { ...common, sugestao: found, motivo: null, frase: sentenceOf(found, counts) }
}

interface Counts {
  readonly verdadeiros: number
  readonly falsos: number
}

const decimal = (value: number): string => String(value).replace('.', ',')

function sentenceOf(
  { conf, falsos_evitados, verdadeiros_perdidos }: Suggestion,
  { verdadeiros, falsos }: Counts,
): string {
  const start = `Com ${decimal(conf)}, ${falsos_evitados} de ${falsos} falsos alarmes não teriam vindo`
  return verdadeiros_perdidos === 0
    ? `${start}, e todos os ${verdadeiros} verdadeiros teriam vindo.`
    : `${start}, e ${verdadeiros_perdidos} de ${verdadeiros} verdadeiros também não.`
}

function reasonOf(
  reason: NoSuggestion,
  { verdadeiros, falsos, precisao, conf_atual }: Counts & { readonly precisao: number; readonly conf_atual: number },
): string {
  const all = verdadeiros + falsos
  const percent = `${Math.round(precisao * 100)} %`
  if (reason === 'poucas_revisoes')
    return `São precisas ${MIN_REVISOES} revisões com a confiança de hoje (${decimal(conf_atual)}); há ${all}.`
  if (reason === 'ja_cumpre')
    return `Com ${decimal(conf_atual)}, ${verdadeiros} de ${all} alarmes revisados já são verdadeiros.`
  return `Nenhum valor chega a ${percent} sem perder mais da metade dos ${verdadeiros} verdadeiros.`
}
