import { VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconAlertOctagonFilled, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { Gravidade } from '@vigia/contracts/ias'
import { useTranslation } from 'react-i18next'
import classes from './severity-tag.module.css'

/** Shapes differ as well as colours, for users who cannot distinguish orange from yellow. */
const icons = {
  baixa: IconInfoCircle,
  media: IconAlertCircle,
  alta: IconAlertTriangle,
  critica: IconAlertOctagonFilled,
} as const

/** Severity as colour, shape and word. */
export function SeverityTag({ gravidade, className = '' }: { gravidade: Gravidade; className?: string | undefined }) {
  const { t } = useTranslation()
  const Icon = icons[gravidade]
  return (
    <span className={`${classes.tag} ${className}`} data-gravidade={gravidade}>
      <Icon size={15} aria-hidden="true" />
      <VisuallyHidden>{t('alertas.gravidadeRotulo')} </VisuallyHidden>
      <span>{t(`alertas.gravidade.${gravidade}`)}</span>
    </span>
  )
}
