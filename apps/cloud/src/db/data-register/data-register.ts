import type { Tables } from '../tables.ts'
import {
  access,
  age,
  type DataEntry,
  fixed,
  goesWith,
  machine,
  never,
  not,
  own,
  owner,
  part,
  period,
  person,
  setting,
  size,
  stays,
} from './entry.ts'

const byCount = not('the count is no record of an event, and follows its events')
const MOST_WALKS = size('1,000 of a camera')
const video = not('a video does not say which plates it shows; delete its period')

/**
 * All tables of the cloud: what they say about persons, what ends their rows, and which promises reach them. A table
 * without an entry does not compile. Deletion, export and holds take their tables from here (domains/operacao/retencao,
 * domains/eventos/exportacao), and docs/privacy.md is compared with it.
 */
export const dataRegister = {
  eventos: {
    ...{ personal: 'time, place and pictures of persons; plates', ends: [age('eventos'), age('imagens')], held: true },
    ...{ export: own, period: own, plate: own, login: 'name stays', masks: true, readers: 'every papel' },
    shortens: 'administrador',
  },
  evidencias: { ...part('pictures of persons', 'eventos'), ends: [owner('eventos'), age('imagens')], masks: true },
  incidentes: { ...part('time and place; who answered', 'eventos'), login: 'name stays' },
  atendimentos: { ...part('who answered what', 'incidentes'), login: 'name stays' },
  alertas: { ...part('which event was shown', 'eventos'), ends: [owner('eventos'), age('alertas')], held: false },
  avisos_incidente: {
    ...part('that an incidente was reported', 'incidentes'),
    ...{ ends: [owner('incidentes'), fixed('avisos')], readers: 'none' },
  },
  avisos_evento: {
    ...part('that an event was reported', 'eventos'),
    ...{ ends: [owner('eventos'), fixed('avisos')], readers: 'none' },
  },
  preservacoes: { ...part('who keeps an event and why', 'eventos'), login: 'name stays', ends: [period('its end')] },
  busca_eventos: { ...part('words of an event', 'eventos'), export: not('made from the event'), readers: 'none' },
  busca_incidentes: {
    ...part('words of an answer', 'incidentes'),
    ...{ export: not('made from the answer'), readers: 'none' },
  },
  busca_termos: { ...machine(owner('busca_eventos')), period: goesWith('busca_eventos') },
  busca_preenchimento: machine(period('when all earlier records are indexed')),
  contagens_eventos: {
    ...machine(owner('eventos')),
    ...{ export: byCount, period: goesWith('eventos'), plate: goesWith('eventos'), readers: 'every papel' },
  },
  descartados: {
    ...{
      personal: 'path and small pictures of persons',
      ends: [fixed('descartados'), size('5,000 of a camera'), owner('cameras')],
    },
    ...{ held: false, export: not('no event; ends after 7 days'), period: own, login: 'none', masks: true },
    ...{ plate: not('no plate is read from them'), readers: 'administrador', shortens: 'nobody' },
  },
  clipes: {
    ...{ personal: 'video of persons', ends: [age('clipes'), size('limit of the Empresa'), owner('clipes_eventos')] },
    ...{ held: true, export: goesWith('eventos'), period: goesWith('eventos'), plate: goesWith('eventos') },
    ...{ login: 'none', masks: true, readers: 'every papel', shortens: 'administrador' },
  },
  clipes_eventos: part('which clip shows an event', 'eventos'),
  clipes_a_descartar: machine(period('48 hours, or the answer of the edge')),
  gravacoes: {
    ...{ personal: 'video of persons; who asked for it', ends: [person, owner('empresas')], held: false, period: own },
    ...{ export: not('its file is downloaded on the page of the camera'), plate: video, login: 'name stays' },
    ...{ masks: true, readers: 'every papel', shortens: 'administrador' },
  },
  passagens: {
    ...{ personal: 'time, place, plate and pictures of vehicles', ends: [age('passagens')], held: true, export: own },
    ...{ period: own, plate: own, login: 'name stays', masks: true, readers: 'placas', shortens: 'administrador' },
  },
  registros_passagem: { ...part('that a record of a passage arrived', 'passagens'), readers: 'none' },
  placas: {
    ...setting('plate, owner and note'),
    ...{ readers: 'placas', export: not('it has an export of its own on the page *Placas*') },
    plate: stays('na lista de placas: é cadastro. Apague a entrada na página Placas.'),
  },
  presencas: {
    ...{ personal: 'when somebody of an Empresa watched, without a name', ends: [fixed('presencas')], held: false },
    ...{ export: not('it names nobody'), period: not('it shows when nobody watched'), plate: not('no plate') },
    ...{ login: 'none', masks: false, readers: 'administrador', shortens: 'nobody' },
  },
  provas: {
    ...{ personal: 'who walked in front of a camera and when', ends: [owner('empresas'), MOST_WALKS], held: false },
    ...{ export: not('a record of a test of the site'), period: not('a record of a test of the site') },
    ...{ plate: not('no plate'), login: 'name stays', masks: false, readers: 'administrador', shortens: 'nobody' },
  },
  quedas: { ...machine(age('quedas')), readers: 'every papel', shortens: 'administrador' },
  lacunas: {
    ...machine(age('lacunas'), fixed('lacunas_sem_camera')),
    ...{ readers: 'every papel', shortens: 'administrador' },
  },
  auditoria: {
    ...{ personal: 'who changed what, from where; plates that were searched, corrected or listed' },
    ...{ ends: [age('auditoria')], held: false, login: 'name stays', masks: false, readers: 'administrador' },
    ...{ export: not('it has a page of its own'), period: not('no contents of recordings; no change is possible') },
    plate: stays('na auditoria, que não pode ser alterada: saem com o prazo dela.'),
    shortens: 'administrador',
  },
  auditoria_varrida: machine(owner('empresas')),
  entregas: {
    ...{ personal: 'text and receiver of a message; plates where the canal sends them' },
    ends: [fixed('entregas'), owner('canais_notificacao')],
    ...{ held: false, export: not('made from the event'), login: 'none', masks: false, readers: 'administrador' },
    period: stays('em mensagens já enviadas: o texto sai 30 dias depois do envio.'),
    plate: stays('em mensagens já enviadas: o texto sai 30 dias depois do envio.'),
    shortens: 'nobody',
  },
  retencoes: setting(null),
  apagados_retencao: machine(owner('empresas')),
  apagamentos: {
    ...{ personal: 'login that asked for the deletion; a plate until the end', ends: [owner('empresas')], held: false },
    ...{ export: not('a record of the deletion'), period: not('a record of the deletion') },
    ...{ plate: not('the plate is forgotten at the end'), login: 'name stays', masks: false },
    ...{ readers: 'administrador', shortens: 'nobody' },
  },
  ajustes: machine(never('a few numbers of each camera and IA; ids of cameras are never reused')),
  contador_eventos: machine(never('one row')),
  reservas_de_ids: machine(owner('edges'), owner('empresas')),
  sequencias: machine(owner('edges')),
  midias_a_apagar: machine(period('when the file is deleted')),
  orcamento_eventos: machine(never('one row of each camera')),
  midias: machine(period('when the file is listed for deletion')),
  uso_midia: { ...machine(owner('empresas')), readers: 'administrador' },
  contagem_midia: machine(never('one row for each table with files')),
  relogio: machine(never('one row')),
  apagamentos_retidos: { ...machine(period('when the deletion goes on'), owner('empresas')), readers: 'administrador' },
  regras_varridas: machine(owner('empresas')),
  carimbos_duvidosos: machine(never('a few rows: one for each time to which the clock was set back')),
  silencios: { ...setting('who silenced a camera'), login: 'name stays', ends: [owner('cameras')] },
  trabalhos: machine(period('when the work is done'), owner('empresas')),
  turnos_trabalho: machine(never('a row for each Empresa with work')),
  faixas_trabalho: machine(period('when the lane is empty')),
  destinos_lentos: machine(period('30 days')),
  vlm_usos: { ...machine(owner('empresas')), readers: 'administrador' },
  empresas: { ...setting('name of the account'), ends: [person], shortens: 'operador' },
  usuarios: { ...access('name, papel and hash of the password', person), shortens: 'administrador' },
  sessoes: access('address and browser of a sign-in', period('its end')),
  tokens_sessao: { ...access('hash of a token', period('its end')), ends: [owner('sessoes')], readers: 'none' },
  codigos_recuperacao: { ...access('hash of a code', person), readers: 'none' },
  quiosques: { ...setting('who made a screen'), ends: [period('30 days'), owner('usuarios')], login: 'deleted' },
  convites: { ...setting('the invited role, and its author'), ends: [period('its end'), person], login: 'deleted' },
  chaves: setting(null),
  inscricoes_push: access('address of a browser', person),
  envios_push: { ...access('which incidente a browser was notified of', fixed('envios_push')), readers: 'none' },
  clientes_oauth: machine(period('unused ones')),
  chaves_oauth: machine(period('rotation')),
  consentimentos_oauth: { ...access('a sign-in in progress', period('minutes')), readers: 'none' },
  autorizacoes_oauth: access('which agent acts for a login', period('its end'), person),
  codigos_oauth: { ...access('hash of a code', period('minutes')), ends: [owner('autorizacoes_oauth')] },
  renovacoes_oauth: { ...access('hash of a token', period('its end')), ends: [owner('autorizacoes_oauth')] },
  acessos_oauth: { ...access('id of a token', period('its end')), ends: [owner('autorizacoes_oauth')] },
  cameras: {
    ...setting('plates of Mode B; who may be seen is decided by masks'),
    plate: stays('na configuração de câmeras (Modo B): tire a placa da câmera.'),
    readers: 'every papel',
  },
  ptz: { ...setting('who moved a camera last'), ends: [owner('cameras')], login: 'name stays' },
  gravadores: setting(null),
  edges: setting(null),
  canais_notificacao: setting('addresses of receivers'),
  remetentes: { ...setting(null), readers: 'operador', shortens: 'operador' },
  certificados_edge: machine(never('a serial number is revoked for ever; a few rows of each edge')),
  credenciais_edge: machine(period('its end')),
  transmissoes: machine(never('one row of each camera, so that its epoch only grows')),
  contato_central: machine(never('one row')),
  chaves_vapid: machine(never('one row for each rotation')),
  replicas: machine(period('one hour after its lease')),
  posses: machine(never('one row for each name')),
  segredos_instalacao: machine(never('one row')),
  vistas: machine(owner('edges')),
  publicacoes: machine(never('one row for each name')),
  lista_revogacao: machine(never('one row')),
} as const satisfies Record<keyof Tables, DataEntry>

type Register = typeof dataRegister
type DataPromise = 'export' | 'period' | 'plate'

/** Tables that this promise reaches in a certain way. */
export type Reached<P extends DataPromise, By extends 'own' | 'stays'> = P extends DataPromise
  ? { [T in keyof Register]: Register[T][P] extends { readonly by: By } ? T : never }[keyof Register]
  : never

export const entries = Object.entries(dataRegister) as [keyof Tables, DataEntry][]

/** Reason why rows of a table stay. */
export const reasonOf = (table: keyof Tables, promise: 'period' | 'plate'): string => {
  const reach: DataEntry['period'] = dataRegister[table][promise]
  return reach.by === 'stays' ? reach.motivo : ''
}
