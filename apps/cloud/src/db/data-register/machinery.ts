import { ofOne, program, type TableEntry } from '../../nouns/define-noun.ts'
import { machine, never, owner, period } from './entry.ts'

/** Tables of the program itself, which belong to no noun. */
export const machinery = {
  contador_eventos: { ...machine(never('one row')), bound: program },
  reservas_de_ids: { ...machine(owner('edges'), owner('empresas')), bound: 'Records: reserved ids of events' },
  sequencias: { ...machine(owner('edges')), bound: ofOne('camera and edge') },
  midias_a_apagar: { ...machine(period('when the file is deleted')), bound: 'Disk: pictures' },
  orcamento_eventos: { ...machine(never('one row of each camera')), bound: ofOne('camera') },
  midias: { ...machine(period('when the file is listed for deletion')), bound: 'Disk: pictures' },
  uso_midia: { ...machine(owner('empresas')), readers: 'administrador', bound: ofOne('Empresa') },
  contagem_midia: { ...machine(never('one row for each table with files')), bound: program },
  relogio: { ...machine(never('one row')), bound: program },
  apagamentos_retidos: {
    ...machine(period('when the deletion goes on'), owner('empresas')),
    readers: 'administrador',
    bound: ofOne('Empresa and kind'),
  },
  regras_varridas: { ...machine(owner('empresas')), bound: ofOne('Empresa and kind') },
  carimbos_duvidosos: {
    ...machine(never('a few rows: one for each time to which the clock was set back')),
    bound: { none: 'the program writes one for each time in which its clock was behind' },
  },
  trabalhos: {
    ...machine(period('when the work is done'), owner('empresas')),
    bound: 'Records: verified events of a minute',
  },
  turnos_trabalho: { ...machine(never('a row for each Empresa with work')), bound: ofOne('Empresa') },
  faixas_trabalho: { ...machine(period('when the lane is empty')), bound: ofOne('lane with work') },
  destinos_lentos: { ...machine(period('30 days')), bound: ofOne('destination of a canal') },
  contato_central: { ...machine(never('one row')), bound: program },
  replicas: { ...machine(period('one hour after its lease')), bound: { none: 'the operator starts them' } },
  posses: { ...machine(never('one row for each name')), bound: program },
  segredos_instalacao: { ...machine(never('one row')), bound: program },
  vistas: { ...machine(owner('edges')), bound: ofOne('edge and camera') },
  publicacoes: { ...machine(never('one row for each name')), bound: program },
  lista_revogacao: { ...machine(never('one row')), bound: program },
} as const satisfies Readonly<Record<string, TableEntry>>
