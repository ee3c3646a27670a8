import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { nomesIas } from '@vigia/contracts/ias'
import type { TFunction } from 'i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { changedFields } from './audit-list.ts'

type T = TFunction<'pagina'>

/** Number of changed fields that the sentence names. */
const NAMED = 4

/** Returns the screen name of a field or IA, or else the name of the field without underscores. */
export function fieldName(t: T, field: string): string {
  const ia = nomesIas.find((nome) => nome === field)
  if (ia) return textsOfIa(ia).titulo
  const names: Readonly<Record<string, string>> = t('auditoria.campos', { returnObjects: true })
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field.replaceAll('_', ' ')
}

/** Returns one record as a sentence: `ana alterou a câmera “Portão”: nome, zonas`. */
export function auditSentence(t: T, record: RegistroAuditoria): string {
  const frase = whatHappened(t, record)
  if (record.acao !== 'alterar') return frase
  const fields = changedFields(record.antes, record.depois).map(({ caminho: [field = ''], depois }) => {
    // A switch is named by its new state, because "ligada" would be wrong for a camera that was switched off.
    const off = (field === 'ativo' || field === 'ativa') && depois === false
    return fieldName(t, off ? `des${field}` : field)
  })
  const names = [...new Set(fields)]
  if (names.length === 0) return frase
  const first = names.slice(0, NAMED).join(', ')
  const rest = names.length - NAMED
  const campos = rest > 0 ? t('auditoria.eMais', { campos: first, count: rest }) : first
  return t('auditoria.comCampos', { frase, campos })
}

function whatHappened(t: T, record: RegistroAuditoria): string {
  const { acao, objeto } = record
  const qual = whichOne(t, record)
  if (acao === 'ativar' && objeto === 'edge') return t('auditoria.frase.caixaAtivada', { qual })
  const o = t(`auditoria.coisaDaFrase.${objeto}.o`, { qual })
  const de = t(`auditoria.coisaDaFrase.${objeto}.de`, { qual })
  return t(`auditoria.frase.${acao}`, { quem: who(t, record), o, de })
}

function whichOne(t: T, { objeto_nome, objeto_id }: RegistroAuditoria): string {
  if (objeto_nome) return t('auditoria.chamado', { nome: objeto_nome })
  return objeto_id === null ? '' : t('auditoria.numerado', { id: objeto_id })
}

function who(t: T, { username, cliente, canal }: RegistroAuditoria): string {
  if (canal === 'chave') return t('auditoria.quem.chave', { chave: cliente ?? '' })
  if (cliente !== null) {
    // `Nome (client_id)`: the sentence needs only the name.
    const agente = cliente.replace(/ \([^()]*\)$/, '')
    return username === null
      ? t('auditoria.quem.agente', { agente })
      : t('auditoria.quem.agenteDe', { agente, username })
  }
  if (username !== null) return username
  return canal === 'edge' || canal === 'sistema' ? t(`auditoria.quem.${canal}`) : t('auditoria.quem.ninguem')
}
