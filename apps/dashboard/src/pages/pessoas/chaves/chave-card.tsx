import { IconTrash } from '@tabler/icons-react'
import type { Chave } from '@vigia/contracts/chaves'
import { useTranslation } from 'react-i18next'
import { formatDay, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import card from '../../../ui/camera-card.module.css'
import { CardButton } from '../../../ui/card-buttons.tsx'

/** Card of one chave: rights, Empresa, expiry and last use. */
export function ChaveCard({ chave, onRemove }: { chave: Chave; onRemove: () => void }) {
  const { t } = useTranslation()
  const now = useNow()
  const { nome, escopo, empresa_id, inicio, validade, criada_em, usada_em } = chave
  const { nome: empresa, fuso } = useEmpresa(empresa_id)
  const ended = validade !== null && Date.parse(validade) <= now
  return (
    <article className={card.card} aria-label={nome}>
      <h3 className={card.name}>
        <bdi>{nome}</bdi>
      </h3>
      <p>{[t(`chaves.escopo.${escopo}`), empresa].filter(Boolean).join(' · ')}</p>
      <p className={ended ? card.down : card.facts}>
        {validade === null
          ? t('chaves.semFim')
          : t(ended ? 'chaves.vencida' : 'chaves.ate', { data: formatDay(validade, now, fuso) })}
      </p>
      <p className={card.facts}>
        {t('chaves.criada', { quando: formatWhen(criada_em, now, fuso) })}
        {' · '}
        {usada_em === null ? t('chaves.nuncaUsada') : t('chaves.usada', { quando: formatWhen(usada_em, now, fuso) })}
      </p>
      <p className={card.soft} translate="no">
        {t('chaves.comeca', { inicio })}
      </p>
      <div className={card.controls}>
        <CardButton icon={IconTrash} label={t('chaves.apagarRotulo', { nome })} onClick={onRemove}>
          {t('chaves.apagar')}
        </CardButton>
      </div>
    </article>
  )
}
