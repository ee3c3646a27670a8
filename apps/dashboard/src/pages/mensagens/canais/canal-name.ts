import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import type { TFunction } from 'i18next'
import { destinosOf } from './canal-form.ts'

/** The own name of a canal, else its first destination, else its number. */
export const nameOfCanal = (t: TFunction<'pagina'>, canal: CanalNotificacao): string =>
  canal.nome || (destinosOf(canal)[0] ?? t('canais.semNome', { id: canal.id }))
