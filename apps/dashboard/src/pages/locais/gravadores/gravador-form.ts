import {
  fabricantes,
  GENERICO,
  nomesFabricantes,
  ONVIF,
  PORTA_ONVIF,
  valoresFabricante,
} from '@vigia/contracts/fabricantes'
import {
  type CanalEscolhido,
  type Gravador,
  type GravadorPatch,
  MAX_CONEXOES,
  type ResultadoCanal,
} from '@vigia/contracts/gravadores'
import { type LimitesEmpresa, limites } from '@vigia/contracts/limites'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { hostSchema } from '@vigia/contracts/values'
import type { Equipamento } from '@vigia/contracts/varredura'
import { NOVA_EMPRESA } from '../../../domains/locais/cameras/camera-form.ts'

export type CampoGravador =
  | 'empresa_id'
  | 'empresa_nome'
  | 'edge_id'
  | 'fabricante'
  | 'url_template'
  | 'host'
  | 'porta'
  | 'porta_mantida'
  | 'porta_rtsp'
  | 'senha_em_texto'
  | 'usuario'
  | 'senha'
  | 'num_canais'
  | 'nome_gravador'
  | 'perfil'

/** The fields of the form, as text. */
export type FormularioGravador = Record<CampoGravador, string>

type ProblemaGravador =
  | 'hostFalta'
  | 'portaFalta'
  | 'canaisFalta'
  | 'conexoesFalta'
  | 'modeloFalta'
  | 'empresaFalta'
  | 'empresaNomeFalta'

/** A checked field; '' is an unchecked one. */
export const YES = 'sim'

export const emptyGravador: FormularioGravador = {
  empresa_id: '',
  empresa_nome: '',
  edge_id: '',
  fabricante: 'intelbras',
  url_template: '',
  host: '',
  porta: String(fabricantes.intelbras.porta),
  /** YES: another maker keeps the port, because a person typed it or a scan found it open. */
  porta_mantida: '',
  porta_rtsp: '',
  senha_em_texto: '',
  usuario: 'admin',
  senha: '',
  num_canais: '8',
  nome_gravador: '',
  perfil: '',
}

/** Default port of a maker's recorders. */
export const usualPort = (fabricante: string): string =>
  String(
    fabricante === ONVIF
      ? PORTA_ONVIF
      : fabricantes[nomesFabricantes.find((nome) => nome === fabricante) ?? 'intelbras'].porta,
  )

/** Fields that follow from another maker: also its usual port, unless the form holds a port to keep. */
export const fieldsOfMaker = (
  fabricante: string,
  { porta, porta_mantida }: Pick<FormularioGravador, 'porta' | 'porta_mantida'>,
) => (porta_mantida === YES && porta.trim() !== '' ? { fabricante } : { fabricante, porta: usualPort(fabricante) })

const RTSP_PORTS = [554, 8554]

/** Fields that follow from a device of a scan. A device of an unknown maker is reached by ONVIF if it offers that. */
export function fieldsOfEquipamento({ host, portas, fabricante, onvif }: Equipamento) {
  if (fabricante === null && onvif !== null) return { host, fabricante: ONVIF, porta: String(onvif), porta_mantida: '' }
  const usual = Number(usualPort(fabricante ?? ''))
  const open = [usual, ...RTSP_PORTS].find((one) => portas.includes(one))
  const porta = { porta: String(open ?? usual), porta_mantida: open !== undefined && fabricante === null ? YES : '' }
  return { host, ...porta, ...(fabricante !== null && { fabricante }) }
}

const between = (text: string, minimum: number, maximum: number): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum

type Endereco = Pick<FormularioGravador, 'host' | 'porta' | 'porta_rtsp' | 'num_canais'>

function checkAddress({ host, porta, porta_rtsp, num_canais }: Endereco) {
  const problems: Partial<Record<keyof Endereco, ProblemaGravador>> = {}
  if (!hostSchema.safeParse(host).success) problems.host = 'hostFalta'
  if (!between(porta, 1, 65_535)) problems.porta = 'portaFalta'
  if (porta_rtsp.trim() !== '' && !between(porta_rtsp, 1, 65_535)) problems.porta_rtsp = 'portaFalta'
  if (!between(num_canais, 1, 256)) problems.num_canais = 'canaisFalta'
  return problems
}

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkGravador(form: Readonly<FormularioGravador>) {
  const problems: Partial<Record<CampoGravador, ProblemaGravador>> = checkAddress(form)
  if (form.fabricante === GENERICO && form.url_template.trim() === '') problems.url_template = 'modeloFalta'
  if (form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Address and credentials, for the discovery, the pictures and the registration. */
export const accessOf = (form: FormularioGravador) => ({
  fabricante: valoresFabricante.find((nome) => nome === form.fabricante) ?? 'intelbras',
  ...(form.fabricante === GENERICO && { url_template: form.url_template.trim() }),
  ...(form.fabricante === ONVIF && form.porta_rtsp.trim() !== '' && { porta_rtsp: Number(form.porta_rtsp) }),
  ...(form.fabricante === ONVIF && form.senha_em_texto === YES && { senha_em_texto: true }),
  host: form.host.trim(),
  porta: Number(form.porta),
  usuario: form.usuario,
  senha: form.senha,
  // A new Empresa is created only by the last step.
  ...(form.empresa_id !== '' && form.empresa_id !== NOVA_EMPRESA && { empresa_id: Number(form.empresa_id) }),
  ...(form.edge_id !== '' && { edge_id: Number(form.edge_id) }),
})

/** Body of the discovery. Only the operator chooses an Empresa that does not exist yet. */
export const discoveryOf = (form: FormularioGravador) => ({
  empresa_id: null,
  ...accessOf(form),
  num_canais: Number(form.num_canais),
})

/** Body of the registration of `chosen`, with the names that were typed. @param plates canais that read plates */
export function registrationOf(
  form: FormularioGravador,
  chosen: readonly number[],
  names: Readonly<Record<number, string>> = {},
  plates: readonly number[] = [],
) {
  const perfil = nomesPerfis.find((nome) => nome === form.perfil)
  const canais: CanalEscolhido[] = chosen.map((canal) => {
    const nome = names[canal]?.trim()
    const placas = plates.includes(canal)
    return nome || placas ? { canal, ...(nome && { nome }), ...(placas && { placas }) } : canal
  })
  return {
    ...discoveryOf(form),
    empresa_id: Number(form.empresa_id),
    canais,
    nome_gravador: form.nome_gravador.trim(),
    ...(perfil && { perfil }),
  }
}

/** By canal: whether its picture came, or whether a person ticked it. */
export type PorCanal = Readonly<Record<number, boolean>>

/**
 * The ticked canais: those that a person chose, else those with video that are no camera yet and whose picture did not
 * fail. A picture that is still awaited counts as one that came.
 */
export const chosenCanais = (canais: readonly ResultadoCanal[], pictures: PorCanal, byHand: PorCanal): number[] =>
  canais
    .filter(({ estado }) => estado !== 'já cadastrada')
    .filter(({ canal, estado }) => byHand[canal] ?? (estado === 'nova' && pictures[canal] !== false))
    .map(({ canal }) => canal)

/** The gravador answered for every canal, and none has video. */
export const hasNoVideo = (canais: readonly ResultadoCanal[]): boolean =>
  canais.every(({ estado, sem_resposta }) => estado === 'vazia' && !sem_resposta)

/** Number of cameras that still fit into the Empresa; a new one has the default limit. null: not known yet. */
export function freeCameras(form: FormularioGravador, known: readonly LimitesEmpresa[] | undefined): number | null {
  if (form.empresa_id === NOVA_EMPRESA) return limites.cameras.padrao
  return known?.find(({ empresa_id }) => empresa_id === Number(form.empresa_id))?.limites.cameras.livres ?? null
}

/** The fields of the dialog that changes a gravador, as text. An empty password keeps the stored one. */
export type FormularioMudanca = Record<
  'nome' | 'host' | 'porta' | 'porta_rtsp' | 'senha_em_texto' | 'usuario' | 'senha' | 'num_canais' | 'max_conexoes',
  string
>

export const changeFormOf = (gravador: Gravador): FormularioMudanca => {
  const { nome, host, porta, porta_rtsp, senha_em_texto, usuario, num_canais, max_conexoes } = gravador
  const numbers = { porta: String(porta), num_canais: String(num_canais), max_conexoes: String(max_conexoes ?? '') }
  const onvif = { porta_rtsp: String(porta_rtsp ?? ''), senha_em_texto: senha_em_texto ? YES : '' }
  return { nome, host, usuario, senha: '', ...onvif, ...numbers }
}

export const checkChange = (form: FormularioMudanca): Partial<Record<keyof FormularioMudanca, ProblemaGravador>> => ({
  ...checkAddress(form),
  ...(form.max_conexoes.trim() !== '' &&
    !between(form.max_conexoes, 1, MAX_CONEXOES) && { max_conexoes: 'conexoesFalta' as const }),
})

/** Body of the change: only the fields that differ; null if none does. */
export function changeOf(gravador: Gravador, form: FormularioMudanca): GravadorPatch | null {
  const typed = {
    nome: form.nome.trim(),
    host: form.host.trim(),
    porta: Number(form.porta),
    porta_rtsp: form.porta_rtsp.trim() === '' ? null : Number(form.porta_rtsp),
    senha_em_texto: form.senha_em_texto === YES,
    usuario: form.usuario,
    senha: form.senha === '' ? gravador.senha : form.senha,
    num_canais: Number(form.num_canais),
    max_conexoes: form.max_conexoes.trim() === '' ? null : Number(form.max_conexoes),
  }
  const names = Object.keys(typed) as (keyof typeof typed)[]
  const patch = Object.fromEntries(
    names.flatMap((name) => (typed[name] === gravador[name] ? [] : [[name, typed[name]]])),
  )
  return Object.keys(patch).length === 0 ? null : patch
}

/** Discovery of one canal with the changed address and credentials; null if the change concerns neither. */
export function checkOf(gravador: Gravador, patch: GravadorPatch) {
  const { host, porta, porta_rtsp = gravador.porta_rtsp, usuario, senha } = patch
  const senha_em_texto = patch.senha_em_texto ?? gravador.senha_em_texto
  if ([host, porta, patch.porta_rtsp, patch.senha_em_texto, usuario, senha].every((value) => value === undefined))
    return null
  const { fabricante, url_template, empresa_id, edge_id } = gravador
  return {
    fabricante,
    ...(url_template !== null && { url_template }),
    ...(porta_rtsp !== null && { porta_rtsp }),
    ...(senha_em_texto && { senha_em_texto }),
    host: host ?? gravador.host,
    porta: porta ?? gravador.porta,
    usuario: usuario ?? gravador.usuario,
    senha: senha ?? gravador.senha,
    num_canais: 1,
    empresa_id,
    ...(edge_id !== null && { edge_id }),
  }
}
