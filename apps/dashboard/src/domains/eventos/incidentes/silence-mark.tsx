import { IconBellOff } from '@tabler/icons-react'
import type { Silencio } from '@vigia/contracts/cameras'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClockMinute } from '../../../base/tempo/format-time.ts'
import classes from './silence-mark.module.css'

/** End and author of the silence of a camera. */
export function SilenceMark({ silencio, fuso }: { silencio: Silencio; fuso: Fuso }) {
  const { t } = useTranslation()
  return (
    <p className={classes.mark}>
      <IconBellOff size={16} aria-hidden="true" />
      {t('plantao.camera.silenciada', { hora: formatClockMinute(silencio.ate, fuso), por: silencio.por })}
    </p>
  )
}
