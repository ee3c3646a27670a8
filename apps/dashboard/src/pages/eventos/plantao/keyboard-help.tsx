import { Button, Kbd, Switch } from '@mantine/core'
import { gravidades } from '@vigia/contracts/ias'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import { setShortcuts, shortcutsOn } from '../../../ui/shortcuts.ts'
import classes from './keyboard-help.module.css'

const rows = [
  [['V'], 'verdadeiro'],
  [['F'], 'falso'],
  [['S'], 'nao_sei'],
  [['O'], 'nota'],
  [['U'], 'assumir'],
  [['N'], 'proximo'],
  [['P'], 'anterior'],
  [['↓', '↑'], 'setas'],
  [['M'], 'silenciar'],
  [['A'], 'novos'],
  [['Enter'], 'abrir'],
  [['←', '→'], 'vizinhos'],
  [['T'], 'tela'],
  [['?'], 'ajuda'],
] as const

/** The keys of Plantão, their switch, and a test of each sound. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { settings, sound } = useServices()
  const [isOn, setOn] = useState(() => shortcutsOn(settings))
  return (
    <InfoDialog title={t('plantao.atalhos.titulo')} size="34rem" onClose={onClose}>
      <dl className={classes.keys}>
        {rows.map(([keys, texto]) => (
          <div key={texto}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{t(`plantao.atalhos.${texto}`)}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label={t('plantao.atalhos.ligados')}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setShortcuts(settings, checked)
          setOn(checked)
        }}
      />
      <h3 className={classes.sounds}>{t('plantao.atalhos.som')}</h3>
      <Row gap={5}>
        {[...gravidades, 'contato' as const].map((one) => {
          const name = one === 'contato' ? t('plantao.atalhos.contato') : t(`alertas.gravidade.${one}`)
          return (
            <Button key={one} variant="default" size="sm" onClick={() => sound.test(one)}>
              {t('plantao.atalhos.testar', { gravidade: name })}
            </Button>
          )
        })}
      </Row>
    </InfoDialog>
  )
}
