import {
  fabricantes,
  GENERICO,
  nomesFabricantes,
  ONVIF,
  PORTA_ONVIF,
  valoresFabricante,
} from '@vigia/contracts/fabricantes'
import type { CanalEscolhido, Descobrir, ResultadoCanal } from '@vigia/contracts/gravadores'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { hostSchema } from '@vigia/contracts/values'
import { NOVA_EMPRESA } from '../cameras/camera-form.ts'

export const camposGravador = [
  'empresa_id',
  'empresa_nome',
  'fabricante',
  'url_template',
  'host',
  'porta',
  'usuario',
  'senha',
  'num_canais',
  'nome_gravador',
  'perfil',
] as const
export type CampoGravador = (typeof camposGravador)[number]

/** What stands in the fields of the form, as text. */
export type FormularioGravador = Record<CampoGravador, string>

export type ProblemaGravador =
  | 'hostFalta'
  | 'portaFalta'
  | 'canaisFalta'
  | 'modeloFalta'
  | 'empresaFalta'
  | 'empresaNomeFalta'

export const emptyRecorder = (empresa: number | null): FormularioGravador => ({
  empresa_id: empresa === null ? '' : String(empresa),
  empresa_nome: '',
  fabricante: 'intelbras',
  url_template: '',
  host: '',
  porta: String(fabricantes.intelbras.porta),
  usuario: 'admin',
  senha: '',
  num_canais: '8',
  nome_gravador: '',
  perfil: '',
})

/** Port that a maker's recorders have unless somebody changed it. */
export const usualPort = (fabricante: string): string =>
  String(
    fabricante === ONVIF
      ? PORTA_ONVIF
      : fabricantes[nomesFabricantes.find((nome) => nome === fabricante) ?? 'intelbras'].porta,
  )

const between = (text: string, minimum: number, maximum: number): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum

/** What can be told before the central is asked; the central checks everything again. */
export function checkRecorder(form: FormularioGravador, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoGravador, ProblemaGravador>> = {}
  if (!hostSchema.safeParse(form.host).success) problems.host = 'hostFalta'
  if (!between(form.porta, 1, 65_535)) problems.porta = 'portaFalta'
  if (!between(form.num_canais, 1, 256)) problems.num_canais = 'canaisFalta'
  if (form.fabricante === GENERICO && form.url_template.trim() === '') problems.url_template = 'modeloFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Body of the discovery; what the registration adds to it comes from `registrationOf`. */
export const discoveryOf = (form: FormularioGravador): Descobrir => ({
  fabricante: valoresFabricante.find((nome) => nome === form.fabricante) ?? 'intelbras',
  ...(form.fabricante === GENERICO && { url_template: form.url_template.trim() }),
  host: form.host.trim(),
  porta: Number(form.porta),
  usuario: form.usuario,
  senha: form.senha,
  num_canais: Number(form.num_canais),
  empresa_id: Number(form.empresa_id),
})

/** Body of the registration of those channels. */
export function registrationOf(form: FormularioGravador, canais: readonly CanalEscolhido[]) {
  const perfil = nomesPerfis.find((nome) => nome === form.perfil)
  return {
    ...discoveryOf(form),
    canais: [...canais],
    nome_gravador: form.nome_gravador.trim(),
    ...(perfil && { perfil }),
  }
}

/** What is ticked at first: everything that has a picture and is no camera yet. */
export const newChannels = (canais: readonly ResultadoCanal[]): number[] =>
  canais.flatMap(({ canal, estado }) => (estado === 'nova' ? [canal] : []))
