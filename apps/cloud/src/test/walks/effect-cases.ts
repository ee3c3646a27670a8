import type { Efeito } from '@vigia/contracts/efeitos'
import type { Account, TestApp } from '../clouds/test-app.ts'
import type { OwnRecords } from '../records/own-records.ts'

export interface Case {
  readonly name: string
  readonly efeito: Efeito | null
  readonly method: string
  readonly path: () => Promise<string>
  /** A function: the body holds ids of records. */
  readonly json: object | (() => object)
}

interface Stage {
  readonly app: TestApp
  readonly conta: Account
  readonly records: OwnRecords
}

/**
 * Changes whose effect depends on the body, each with its preparation.
 * @param stage of the running test: the cases are declared before it exists
 */
export function effectCases(stage: () => Stage): readonly Case[] {
  const square = [0.2, 0.2, 0.6, 0.2, 0.6, 0.6, 0.2, 0.6]
  const larger = [0.1, 0.1, 0.7, 0.1, 0.7, 0.7, 0.1, 0.7]
  const smaller = [0.3, 0.3, 0.5, 0.3, 0.5, 0.5, 0.3, 0.5]
  const admin = (method: string, path: string, json: object) => stage().conta.admin.expect(200, method, path, json)
  const camera = async (...set: readonly (readonly [string, object])[]) => {
    const path = await stage().records.path('/api/v1/cameras/{camera_id}')
    for (const [below, json] of set) await admin('PUT', `${path}${below}`, json)
    return path
  }
  const masked = async () => `${await camera(['/mascaras', { mascaras: [square] }])}/mascaras`
  const empresa = (below: string) => async () => `/api/v1/empresas/${stage().conta.empresaId}${below}`
  const retencao = async () => {
    const path = await empresa('/retencao')()
    await admin('PATCH', path, { imagens: { dias: 60, bytes: 500_000_000 } })
    return path
  }
  const hidden = async () => {
    const path = await empresa('')()
    await admin('PATCH', path, { esconder_placas_vigilante: true })
    return path
  }
  const held = async () => {
    const path = await stage().records.path('/api/v1/events/{event_id}/preservar')
    await stage().conta.admin.expect(200, 'POST', path, { motivo: 'Furto', ate: days(60) })
    return path
  }
  const days = (n: number) => new Date(stage().app.clock.now() + n * 86_400_000).toISOString()
  const edge = async () => {
    const path = await stage().records.path('/api/v1/edges/{id}')
    await admin('PATCH', path, { gravacao_continua_mb: 30_000 })
    return path
  }
  const canal = async (more: object = {}) => {
    const json = { empresa_id: stage().conta.empresaId, tipo: 'email', destino: 'a@exemplo.com.br', ...more }
    const { id } = await stage().conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', json)
    return `/api/v1/notificacoes/${id}`
  }

  /** A camera at this address; its picture is masked unless `mascaras` is empty. */
  const cameraAt = async (rtsp_url: string, mascaras: readonly number[][] = [square]) => {
    const body = { nome: 'Pátio', rtsp_url, empresa_id: stage().conta.empresaId }
    const { id } = await stage().conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', body)
    await admin('PUT', `/api/v1/cameras/${id}/mascaras`, { mascaras })
    return `/api/v1/cameras/${id}`
  }
  const urlOf = (canal: number, senha = 'a') =>
    `rtsp://u:${senha}@10.9.0.1:8554/cam/realmonitor?channel=${canal}&subtype=0`
  const besideMasked = (path: string) => async () => {
    await cameraAt(urlOf(3))
    return path
  }
  let webhook = 0
  /** A camera that reads plates, with this gate. */
  const gateCamera = async (portao: object | null) => {
    const json = { empresa_id: stage().conta.empresaId, destino: 'http://127.0.0.9:1/portao' }
    webhook ||= (await stage().conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', json)).id
    const path = await camera()
    await admin('PATCH', path, gate(portao && { ...portao, canal_id: webhook }))
    return path
  }
  const gate = (portao: object | null) => ({ modo_b_config: { ativo: true, portao } })
  const gravadorBody = (host: string) => ({
    fabricante: 'intelbras',
    host,
    porta: 554,
    usuario: 'u',
    senha: 'a',
    num_canais: 8,
    empresa_id: stage().conta.empresaId,
  })
  let gravadores = 0
  /** A gravador with a masked camera. */
  const maskedGravador = async () => {
    gravadores += 1
    const { gravador_id, cameras } = await stage().conta.admin.expect<{
      gravador_id: number
      cameras: { id: number }[]
    }>(...([201, 'POST', '/api/v1/gravadores/cadastrar'] as const), {
      ...gravadorBody(`10.9.1.${gravadores}`),
      canais: [1],
    })
    await admin('PUT', `/api/v1/cameras/${cameras[0]?.id}/mascaras`, { mascaras: [square] })
    return `/api/v1/gravadores/${gravador_id}`
  }

  const onvifBody = () => {
    gravadores += 1
    return { ...gravadorBody(`10.9.3.${gravadores}`), fabricante: 'onvif', porta: 80, senha_em_texto: true }
  }
  const onvifGravador = async (senha_em_texto: boolean) => {
    const body = { ...onvifBody(), senha_em_texto }
    const { id } = await stage().conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/gravadores', body)
    return `/api/v1/gravadores/${id}`
  }

  const cases: readonly Case[] = [
    {
      name: 'a camera of a masked picture',
      efeito: 'reveals',
      method: 'POST',
      path: besideMasked('/api/v1/cameras'),
      json: () => ({ nome: 'Outra', rtsp_url: urlOf(3, 'b'), empresa_id: stage().conta.empresaId }),
    },
    {
      name: 'a camera of another picture',
      efeito: null,
      method: 'POST',
      path: besideMasked('/api/v1/cameras'),
      json: () => ({ nome: 'Outra', rtsp_url: urlOf(4), empresa_id: stage().conta.empresaId }),
    },
    {
      name: 'the address of a masked picture',
      efeito: 'reveals',
      method: 'PATCH',
      path: async () => {
        await cameraAt(urlOf(3))
        return cameraAt(urlOf(5), [])
      },
      json: { sub_rtsp_url: urlOf(3) },
    },
    {
      name: 'a masked camera moved away',
      efeito: 'reveals',
      method: 'PATCH',
      path: () => cameraAt(urlOf(6)),
      json: { rtsp_url: 'rtsp://10.9.0.2/x' },
    },
    {
      name: 'another password of a masked camera',
      efeito: null,
      method: 'PATCH',
      path: () => cameraAt(urlOf(7)),
      json: { rtsp_url: urlOf(7, 'b') },
    },
    {
      name: 'the channel of a masked picture',
      efeito: 'reveals',
      method: 'POST',
      path: besideMasked('/api/v1/gravadores/cadastrar'),
      json: () => ({ ...gravadorBody('10.9.0.1'), canais: [3] }),
    },
    {
      name: 'a gravador with masks at another address',
      efeito: 'reveals',
      method: 'PATCH',
      path: maskedGravador,
      json: () => ({ host: `10.9.2.${gravadores}` }),
    },
    {
      name: 'another password of a gravador with masks',
      efeito: null,
      method: 'PATCH',
      path: maskedGravador,
      json: { senha: 'outra' },
    },
    {
      name: 'a gravador with its password as text',
      efeito: 'grants',
      method: 'POST',
      path: async () => '/api/v1/gravadores',
      json: onvifBody,
    },
    {
      name: 'a gravador by ONVIF',
      efeito: null,
      method: 'POST',
      path: async () => '/api/v1/gravadores',
      json: () => ({ ...onvifBody(), senha_em_texto: false }),
    },
    {
      name: 'the password of a gravador as text',
      efeito: 'grants',
      method: 'PATCH',
      path: () => onvifGravador(false),
      json: { senha_em_texto: true },
    },
    {
      name: 'a password as text for another host',
      efeito: 'grants',
      method: 'PATCH',
      path: () => onvifGravador(true),
      json: () => ({ host: `10.9.4.${gravadores}` }),
    },
    {
      name: 'the end of a password as text',
      efeito: null,
      method: 'PATCH',
      path: () => onvifGravador(true),
      json: { senha_em_texto: false },
    },
    {
      name: 'another password as text',
      efeito: null,
      method: 'PATCH',
      path: () => onvifGravador(true),
      json: { senha: 'outra' },
    },
    {
      name: 'a gate that opens by plates',
      efeito: 'grants',
      method: 'PATCH',
      path: () => gateCamera(null),
      json: () => gate({ canal_id: webhook, conf: 0.9 }),
    },
    {
      name: 'a gate of less certain plates',
      efeito: 'grants',
      method: 'PATCH',
      path: () => gateCamera({ conf: 0.95 }),
      json: () => gate({ canal_id: webhook, conf: 0.9 }),
    },
    {
      name: 'a gate that opens no longer',
      efeito: null,
      method: 'PATCH',
      path: () => gateCamera({ conf: 0.9 }),
      json: () => gate(null),
    },
    {
      name: 'a new destination of messages',
      efeito: null,
      method: 'POST',
      path: async () => '/api/v1/notificacoes',
      json: () => ({ empresa_id: stage().conta.empresaId, tipo: 'webhook', destino: 'http://127.0.0.9:1/x' }),
    },
    ...(
      [
        ['another destination of a canal', null, {}, { destino: 'b@exemplo.com.br' }],
        ['one more destination of a canal', null, {}, { destinatarios: ['b@exemplo.com.br'] }],
        ['a canal switched on again', null, { ativo: false }, { ativo: true }],
        ['a canal of all cameras and IAs', null, { tipos_evento: ['fogo'] }, { tipos_evento: [] }],
        ['a canal of a lower gravidade', null, { gravidade_min: 'alta' }, { gravidade_min: 'media' }],
        ['a canal of more hours', null, { agenda: { inicio: 1, fim: 2 } }, { agenda: {} }],
        ['a canal switched off', null, {}, { ativo: false }],
        ['a canal of fewer IAs', null, {}, { tipos_evento: ['fogo'] }],
        ['a canal of fewer destinations', null, { destinatarios: ['b@exemplo.com.br'] }, { destinatarios: [] }],
        ['a canal of fewer hours', null, {}, { agenda: { inicio: 1, fim: 2 } }],
      ] as const
    ).map(([name, efeito, before, json]) => ({ name, efeito, method: 'PATCH', path: () => canal(before), json })),
    { name: 'a mask added', efeito: null, method: 'PUT', path: masked, json: { mascaras: [square, larger] } },
    { name: 'a mask made larger', efeito: null, method: 'PUT', path: masked, json: { mascaras: [larger] } },
    { name: 'a mask made smaller', efeito: 'reveals', method: 'PUT', path: masked, json: { mascaras: [smaller] } },
    { name: 'all masks removed', efeito: 'reveals', method: 'PUT', path: masked, json: { mascaras: [] } },
    {
      name: 'the sound switched on',
      efeito: 'reveals',
      method: 'PUT',
      json: { ligado: true },
      path: async () => `${await camera()}/audio`,
    },
    {
      name: 'the sound left off',
      efeito: null,
      method: 'PUT',
      json: { ligado: false },
      path: async () => `${await camera()}/audio`,
    },
    {
      name: 'recording switched off',
      efeito: 'destroys',
      method: 'PUT',
      json: { ligada: false },
      path: async () => `${await camera(['/gravacao-continua', { ligada: true }])}/gravacao-continua`,
    },
    {
      name: 'recording switched on',
      efeito: null,
      method: 'PUT',
      json: { ligada: true },
      path: async () => `${await camera()}/gravacao-continua`,
    },
    {
      name: 'a mask on a recorded camera',
      efeito: 'destroys',
      method: 'PUT',
      json: { mascaras: [square] },
      path: async () => `${await camera(['/gravacao-continua', { ligada: true }])}/mascaras`,
    },
    { name: 'fewer days', efeito: 'destroys', method: 'PATCH', path: retencao, json: { imagens: { dias: 59 } } },
    {
      name: 'the days of the default',
      efeito: null,
      method: 'PATCH',
      path: retencao,
      json: { imagens: { dias: null } },
    },
    { name: 'more days', efeito: null, method: 'PATCH', path: retencao, json: { imagens: { dias: 61 } } },
    {
      name: 'less space',
      efeito: 'destroys',
      method: 'PATCH',
      path: retencao,
      json: { imagens: { bytes: 400_000_000 } },
    },
    { name: 'more space', efeito: null, method: 'PATCH', path: retencao, json: { imagens: { bytes: 600_000_000 } } },
    { name: 'no limit of space', efeito: null, method: 'PATCH', path: retencao, json: { imagens: { bytes: null } } },
    {
      name: 'plates shown to guards',
      efeito: 'reveals',
      method: 'PATCH',
      path: hidden,
      json: { esconder_placas_vigilante: false },
    },
    {
      name: 'plates hidden from guards',
      efeito: null,
      method: 'PATCH',
      path: empresa(''),
      json: { esconder_placas_vigilante: true },
    },
    { name: 'another name', efeito: null, method: 'PATCH', path: empresa(''), json: { nome: 'Loja nova' } },
    { name: 'a longer hold', efeito: null, method: 'POST', path: held, json: { motivo: 'Furto', ate: days90() } },
    { name: 'a shorter hold', efeito: 'destroys', method: 'POST', path: held, json: { motivo: 'Furto', ate: days2() } },
    {
      name: 'a smaller budget',
      efeito: 'destroys',
      method: 'PATCH',
      path: edge,
      json: { gravacao_continua_mb: 29_999 },
    },
    {
      name: 'the budget of the default',
      efeito: 'destroys',
      method: 'PATCH',
      path: edge,
      json: { gravacao_continua_mb: null },
    },
    { name: 'a larger budget', efeito: null, method: 'PATCH', path: edge, json: { gravacao_continua_mb: 40_000 } },
    {
      name: 'plates in messages to people',
      efeito: 'reveals',
      method: 'PATCH',
      path: () => canal(),
      json: { placas: true },
    },
    { name: 'another name of a canal', efeito: null, method: 'PATCH', path: () => canal(), json: { nome: 'Portaria' } },
  ]

  // Literal times: the cases are declared before the app and its clock exist.
  function days90() {
    return new Date(Date.now() + 90 * 86_400_000).toISOString()
  }
  function days2() {
    return new Date(Date.now() + 2 * 86_400_000).toISOString()
  }

  return cases
}
