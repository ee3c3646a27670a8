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

export type CampoGravador =
  | 'empresa_id'
  | 'empresa_nome'
  | 'fabricante'
  | 'url_template'
  | 'host'
  | 'porta'
  | 'usuario'
  | 'senha'
  | 'num_canais'
  | 'nome_gravador'
  | 'perfil'

/** The fields of the form, as text. */
export type FormularioGravador = Record<CampoGravador, string>

type ProblemaGravador = 'hostFalta' | 'portaFalta' | 'canaisFalta' | 'modeloFalta' | 'empresaFalta' | 'empresaNomeFalta'

export const emptyGravador: FormularioGravador = {
  empresa_id: '',
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
}

/** Default port of a maker's recorders. */
export const usualPort = (fabricante: string): string =>
  String(
    fabricante === ONVIF
      ? PORTA_ONVIF
      : fabricantes[nomesFabricantes.find((nome) => nome === fabricante) ?? 'intelbras'].porta,
  )

const between = (text: string, minimum: number, maximum: number): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkGravador(form: FormularioGravador, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoGravador, ProblemaGravador>> = {}
  if (!hostSchema.safeParse(form.host).success) problems.host = 'hostFalta'
  if (!between(form.porta, 1, 65_535)) problems.porta = 'portaFalta'
  if (!between(form.num_canais, 1, 256)) problems.num_canais = 'canaisFalta'
  if (form.fabricante === GENERICO && form.url_template.trim() === '') problems.url_template = 'modeloFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Body of the discovery; `registrationOf` adds the fields of the registration. */
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

/** Body of the registration of `canais`. */
export function registrationOf(form: FormularioGravador, canais: readonly CanalEscolhido[]) {
  const perfil = nomesPerfis.find((nome) => nome === form.perfil)
  return {
    ...discoveryOf(form),
    canais: [...canais],
    nome_gravador: form.nome_gravador.trim(),
    ...(perfil && { perfil }),
  }
}

/** The initial selection: canais with a picture that are no camera yet. */
export const newChannels = (canais: readonly ResultadoCanal[]): number[] =>
  canais.flatMap(({ canal, estado }) => (estado === 'nova' ? [canal] : []))
