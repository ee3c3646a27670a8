import { destinationProblem, type TipoCanal } from '@vigia/contracts/destinos'
import { VigiaError } from '@vigia/contracts/errors'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import {
  type CanalNotificacao,
  groupsByDefault,
  INTERVALO_PADRAO_S,
  showsPlatesByDefault,
} from '@vigia/contracts/notificacoes'

/** Fields of the messages that a canal sends beside its alerts. */
export type CampoMensagem =
  | 'quedas'
  | 'gravidade_min'
  | 'certeza_min'
  | 'agrupar'
  | 'continuacao'
  | 'intervalo_s'
  | 'resumo_hora'
  | 'politica'
  | 'placas'

type CampoCanal =
  | 'nome'
  | 'empresa_id'
  | 'empresa_nome'
  | 'tipo'
  | 'destinos'
  | 'usuario'
  | 'senha'
  | 'camera_ids'
  | 'quais'
  | 'tipos_evento'
  | 'inicio'
  | 'fim'
  | 'dias'
  | CampoMensagem

/**
 * The fields of the form, as text. `destinos` has one destination a line. `tipos_evento` has the chosen IAs, separated
 * by commas, and counts only with `quais: 'so'`. `dias` has the weekdays likewise, 0 = segunda-feira, and `camera_ids`
 * the chosen cameras; empty: all.
 */
export type FormularioCanal = Record<CampoCanal, string>
type ProblemaCanal =
  | 'nomeFalta'
  | 'empresaFalta'
  | 'destinosFaltam'
  | 'horaFalta'
  | 'diasFaltam'
  | 'iasFaltam'
  | TipoCanal

/** Whole hours of a day. */
export const horas: readonly string[] = Array.from({ length: 24 }, (_, i) => String(i))

/** Half hours that a window begins or ends at, and '' for always. */
export const meiasHoras = (first: 0 | 0.5): string[] => [
  '',
  ...Array.from({ length: 48 }, (_, i) => String(i / 2 + first)),
]

/** `6:00`, `18:30`. */
export const relogio = (hour: number | string): string =>
  `${Math.floor(Number(hour))}:${Number(hour) % 1 === 0 ? '00' : '30'}`

/** Weekdays, 0 = segunda-feira. */
export const TODOS_DIAS = ['0', '1', '2', '3', '4', '5', '6'] as const
export const diasOf = (text: string): string[] => TODOS_DIAS.filter((dia) => text.split(',').includes(dia))

/** @param canal null: a new one */
export const canalFormOf = (canal: CanalNotificacao | null): FormularioCanal => ({
  nome: canal?.nome ?? '',
  empresa_id: canal === null ? '' : String(canal.empresa_id),
  empresa_nome: '',
  tipo: canal?.tipo ?? 'email',
  destinos: canal === null ? '' : destinosOf(canal).join('\n'),
  usuario: '',
  senha: '',
  camera_ids: (canal?.camera_ids ?? []).join(),
  quais: canal === null || canal.tipos_evento.length === 0 ? 'todas' : 'so',
  tipos_evento: textOfIas(canal?.tipos_evento ?? []),
  inicio: textOf(canal?.agenda.inicio),
  fim: textOf(canal?.agenda.fim),
  dias: (canal?.agenda.dias?.length ? canal.agenda.dias : TODOS_DIAS).join(),
  quedas: canal?.avisar_quedas === false ? 'nao' : 'sim',
  gravidade_min: canal?.gravidade_min ?? 'baixa',
  certeza_min: canal?.certeza_min ?? 'baixa',
  agrupar: (canal?.agrupar ?? true) ? 'sim' : 'nao',
  continuacao: canal?.continuacao ?? 'fim',
  intervalo_s: String(canal?.intervalo_s ?? INTERVALO_PADRAO_S),
  resumo_hora: textOf(canal?.resumo_hora ?? undefined),
  politica: canal?.politica ?? 'aguardar',
  placas: canal?.placas ? 'sim' : 'nao',
})

/** Times between two messages of one incidente, in seconds, and the stored one. */
export const intervalos = (current: string): string[] =>
  [...new Set(['30', '60', '120', '300', '900', '3600', current])].sort((a, b) => Number(a) - Number(b))

/** Changes that a new `tipo` brings. */
export const withTipo = (tipo: string): Pick<FormularioCanal, 'tipo' | 'agrupar' | 'placas'> => ({
  tipo,
  agrupar: groupsByDefault(tipo as TipoCanal) ? 'sim' : 'nao',
  placas: showsPlatesByDefault(tipo as TipoCanal) ? 'sim' : 'nao',
})

const textOf = (hour: number | undefined): string => (hour === undefined ? '' : String(hour))

export const camerasOf = (text: string): number[] => text.split(',').filter(Boolean).map(Number)

/** Sorted in the order of the catalogue. */
export const textOfIas = (ias: readonly NomeIa[]): string => nomesIas.filter((nome) => ias.includes(nome)).join(',')
export const iasOf = (text: string): NomeIa[] => nomesIas.filter((nome) => text.split(',').includes(nome))

/** Destinations without duplicates. */
export const destinosOf = ({ destino, destinatarios }: Pick<CanalNotificacao, 'destino' | 'destinatarios'>): string[] =>
  [...new Set([destino, ...destinatarios])].filter((text) => text !== '')

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkCanal(
  form: Readonly<FormularioCanal>,
  { needsEmpresa }: { readonly needsEmpresa: boolean },
): Partial<Record<CampoCanal, ProblemaCanal>> {
  const problems: Partial<Record<CampoCanal, ProblemaCanal>> = {}
  const tipo = form.tipo as TipoCanal
  const destinos = lines(form.destinos)
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (destinos.length === 0) problems.destinos = 'destinosFaltam'
  else if (destinos.some((destino) => destinationProblem(tipo, destino) !== null)) problems.destinos = tipo
  if (form.quais === 'so' && form.tipos_evento === '') problems.tipos_evento = 'iasFaltam'
  if (form.inicio !== '' && form.fim === '') problems.fim = 'horaFalta'
  if (form.inicio === '' && form.fim !== '') problems.inicio = 'horaFalta'
  if (diasOf(form.dias).length === 0) problems.dias = 'diasFaltam'
  return problems
}

/**
 * Body of a creation or a change. Filters that the form does not show keep their values.
 * @param before null: a creation
 */
export function canalBodyOf(form: Readonly<FormularioCanal>, before: CanalNotificacao | null) {
  const [destino = '', ...destinatarios] = lines(form.destinos)
  return {
    nome: form.nome.trim(),
    ...(before === null && { empresa_id: Number(form.empresa_id) }),
    tipo: form.tipo,
    destino,
    destinatarios,
    // Empty: the stored login stays.
    ...(form.tipo === 'mqtt' && form.usuario !== '' && { credenciais: { usuario: form.usuario, senha: form.senha } }),
    camera_ids: camerasOf(form.camera_ids),
    tipos_evento: form.quais === 'so' ? iasOf(form.tipos_evento) : [],
    agenda: agendaOf(form),
    avisar_quedas: form.quedas === 'sim',
    gravidade_min: form.gravidade_min,
    certeza_min: form.certeza_min,
    agrupar: form.agrupar === 'sim',
    intervalo_s: Number(form.intervalo_s),
    continuacao: form.continuacao,
    resumo_hora: form.resumo_hora === '' ? null : Number(form.resumo_hora),
    politica: form.politica,
    placas: form.placas === 'sim',
  }
}

/** Some weekdays without hours are whole days; all weekdays need no list. */
function agendaOf({ inicio, fim, dias }: Readonly<FormularioCanal>): CanalNotificacao['agenda'] {
  const days = diasOf(dias).map(Number)
  const some = days.length < TODOS_DIAS.length
  if (inicio === '') return some ? { inicio: 0, fim: 24, dias: days } : {}
  return { inicio: Number(inicio), fim: Number(fim), ...(some && { dias: days }) }
}

/** Moves the problems of destinations to the field that holds them all. */
export function withDestinos(error: unknown): unknown {
  if (!(error instanceof VigiaError) || error.code !== 'validacao') return error
  const itens = error.itens.map((item) =>
    item.loc[1] === 'destino' || item.loc[1] === 'destinatarios'
      ? { ...item, loc: ['body', 'destinos'] }
      : item.loc[1] === 'camera_id'
        ? { ...item, loc: ['body', 'camera_ids'] }
        : item.loc[1] === 'credenciais'
          ? { ...item, loc: ['body', 'usuario'] }
          : item,
  )
  return new VigiaError(error.code, { detalhe: error.detalhe, itens, cause: error })
}
