import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import type { IaChange } from './perfil-changes.ts'
import { useThresholdText } from './threshold-text.ts'
import { useWindowText } from './window-text.ts'

/** The changes of IAs that an action would make, one sentence each. */
export function ChangeList({ changes }: { changes: readonly IaChange[] }) {
  const { t } = useTranslation()
  const say = useChangeText()
  if (changes.length === 0) return <Soft>{t('camera.mudancas.nenhuma')}</Soft>
  return (
    <ul className={classes.changes} aria-label={t('camera.mudancas.titulo')}>
      {changes.map((change) => (
        <li key={JSON.stringify(change)} data-kind={change.kind}>
          {say(change)}
        </li>
      ))}
    </ul>
  )
}

function useChangeText(): (change: IaChange) => string {
  const { t } = useTranslation()
  const threshold = useThresholdText()
  const hours = useWindowText()
  return (change) => {
    const nome = textsOfIa(change.ia).titulo
    if (change.kind === 'liga' || change.kind === 'desliga') return t(`camera.mudancas.${change.kind}`, { nome })
    if (change.kind === 'agenda')
      return t('camera.mudancas.agenda', { nome, de: hours(change.de ?? null), para: hours(change.para ?? null) })
    const text = threshold(change.ia, change.limiar)
    const values = { de: text.value(change.de), para: text.value(change.para) }
    return t('camera.mudancas.limiar', { nome, limiar: text.nome, ...values })
  }
}
