import { type Camera, type CameraCreate, type CameraPatch, rtspUrlSchema } from '@vigia/contracts/cameras'
import { type NomePerfil, nomesPerfis, perfil as perfilOf } from '@vigia/contracts/perfis'
import { hasPlaca } from '@vigia/contracts/plates-ia'

export type CampoCamera = 'nome' | 'rtsp_url' | 'sub_rtsp_url' | 'perfil' | 'placas' | 'empresa_id' | 'empresa_nome'

/** The fields of the form, as text. */
export type FormularioCamera = Record<CampoCamera, string>

type ProblemaCamera = 'nomeFalta' | 'rtspFalta' | 'empresaFalta' | 'empresaNomeFalta'

/** Value of the field `empresa_id` if the Empresa is created together with its first camera. */
export const NOVA_EMPRESA = 'nova'

export const emptyForm: FormularioCamera = {
  nome: '',
  rtsp_url: '',
  sub_rtsp_url: '',
  perfil: '',
  placas: '',
  empresa_id: '',
  empresa_nome: '',
}

export const formOf = (camera: Camera): FormularioCamera => ({
  nome: camera.nome,
  rtsp_url: camera.rtsp_url,
  sub_rtsp_url: camera.sub_rtsp_url ?? '',
  perfil: camera.perfil ?? '',
  placas: '',
  empresa_id: String(camera.empresa_id),
  empresa_nome: '',
})

/** Problems that the page can find before the request; the cloud checks all fields again. */
export function checkForm(form: FormularioCamera, { needsEmpresa }: { needsEmpresa: boolean }) {
  const problems: Partial<Record<CampoCamera, ProblemaCamera>> = {}
  if (form.nome.trim() === '') problems.nome = 'nomeFalta'
  if (!rtspUrlSchema.safeParse(form.rtsp_url).success) problems.rtsp_url = 'rtspFalta'
  if (form.sub_rtsp_url.trim() !== '' && !rtspUrlSchema.safeParse(form.sub_rtsp_url).success)
    problems.sub_rtsp_url = 'rtspFalta'
  if (needsEmpresa && form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  if (form.empresa_id === NOVA_EMPRESA && form.empresa_nome.trim() === '') problems.empresa_nome = 'empresaNomeFalta'
  return problems
}

/** Value of the field `placas` of a camera that reads plates. */
export const SIM = 'sim'

/** Whether a Perfil reads plates, so that a person says which cameras do. */
export const asksPlates = (nome: NomePerfil): boolean => hasPlaca(perfilOf(nome).ias)

/** Body of the creation, without empty fields. */
export function creationOf(form: FormularioCamera): CameraCreate {
  const perfil = nomesPerfis.find((nome) => nome === form.perfil)
  const sub = form.sub_rtsp_url.trim()
  return {
    nome: form.nome.trim(),
    rtsp_url: form.rtsp_url.trim(),
    ...(sub === '' ? {} : { sub_rtsp_url: sub }),
    ...(perfil ? { perfil } : {}),
    ...(perfil && asksPlates(perfil) && form.placas === SIM ? { placas: true } : {}),
    ...(form.empresa_id === '' ? {} : { empresa_id: Number(form.empresa_id) }),
  }
}

/** Body of the change: only the fields that differ; null if none does. An emptied substream is null. */
export function changeOf(camera: Camera, form: FormularioCamera): CameraPatch | null {
  const before = formOf(camera)
  const now = { nome: form.nome.trim(), rtsp_url: form.rtsp_url.trim(), sub_rtsp_url: form.sub_rtsp_url.trim() }
  const patch: CameraPatch = {
    ...(now.nome === before.nome ? {} : { nome: now.nome }),
    ...(now.rtsp_url === before.rtsp_url ? {} : { rtsp_url: now.rtsp_url }),
    ...(now.sub_rtsp_url === before.sub_rtsp_url ? {} : { sub_rtsp_url: now.sub_rtsp_url || null }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}
