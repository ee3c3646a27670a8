import { Checkbox, TextInput } from '@mantine/core'
import { IconVideoOff } from '@tabler/icons-react'
import type { ResultadoCanal } from '@vigia/contracts/gravadores'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './canais.module.css'
import { CanalPicture } from './canal-picture.tsx'
import type { PorCanal } from './gravador-form.ts'
import { limitTasks } from './limit-tasks.ts'

/** The box takes two pictures at a time. */
const PICTURES_AT_ONCE = 2

export interface CanalListProps {
  /** Number of the discovery. */
  readonly visit: number
  readonly canais: readonly ResultadoCanal[]
  /** Access to the gravador, for the pictures. */
  readonly access: object
  readonly chosen: readonly number[]
  readonly onChoose: (canal: number, on: boolean) => void
  readonly pictures: PorCanal
  readonly onPicture: (canal: number, came: boolean) => void
  readonly names: Readonly<Record<number, string>>
  readonly onName: (canal: number, nome: string) => void
}

/** The discovered canais, each with its picture, its choice and its name. */
export function CanalList({ visit, canais, access, pictures, onPicture, ...choice }: CanalListProps) {
  const { t } = useTranslation()
  const { chosen, onChoose, names, onName } = choice
  const heading = useId()
  const [limited] = useState(() => limitTasks(PICTURES_AT_ONCE))
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{t('gravadores.escolha')}</h2>
      <ul className={classes.list}>
        {canais.map((one) => (
          <li key={one.canal} className={classes.canal}>
            <Preview canal={one}>
              <CanalPicture
                {...{ visit, limited }}
                canal={one.canal}
                request={access}
                onEnd={(came) => onPicture(one.canal, came)}
              />
            </Preview>
            <Checkbox
              checked={chosen.includes(one.canal)}
              onChange={({ currentTarget: { checked } }) => onChoose(one.canal, checked)}
              label={t('gravadores.canal', { numero: one.canal })}
              description={
                <Description canal={one} isLeftOut={pictures[one.canal] === false && !chosen.includes(one.canal)} />
              }
              disabled={one.estado === 'já cadastrada'}
            />
            {chosen.includes(one.canal) && (
              <TextInput
                label={t('gravadores.nomeCamera')}
                aria-label={t('gravadores.nomeCameraRotulo', { numero: one.canal })}
                placeholder={t('gravadores.canal', { numero: one.canal })}
                maxLength={200}
                autoComplete="off"
                value={names[one.canal] ?? ''}
                onChange={({ currentTarget: { value } }) => onName(one.canal, value)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Only a canal with video has a picture. */
function Preview({ canal: { estado }, children }: { canal: ResultadoCanal; children: React.ReactNode }) {
  if (estado !== 'vazia') return children
  return (
    <div className={classes.noPicture}>
      <IconVideoOff size={26} aria-hidden="true" />
    </div>
  )
}

/** @param isLeftOut its picture did not come, so that nothing ticked it */
function Description({ canal, isLeftOut }: { canal: ResultadoCanal; isLeftOut: boolean }) {
  const { t } = useTranslation()
  const { estado, codec, resolucao, nome_camera, outro_endereco, sem_resposta } = canal
  if (estado === 'já cadastrada') return t('gravadores.jaCadastrada', { nome: nome_camera ?? '' })
  if (sem_resposta) return t('gravadores.semResposta')
  if (estado === 'vazia')
    return outro_endereco ? t('gravadores.outroEndereco', { endereco: outro_endereco }) : t('gravadores.vazia')
  if (isLeftOut) return t('gravadores.semImagemNaoMarcado')
  return [codec?.toUpperCase(), resolucao].filter(Boolean).join(', ') || t('gravadores.comVideo')
}
