import { Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Agenda, Janela } from '@vigia/contracts/agenda'
import type { Camera } from '@vigia/contracts/cameras'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { SaveBar } from './save-bar.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { useCameraSave } from './use-camera-save.ts'
import { WindowEditor } from './window-editor.tsx'

const FIELDS = ['agenda'] as const

/** The Agenda with another window for `nome`; null: always armed. */
function withWindow(agenda: Agenda, nome: NomeIa, janela: Janela | null): Agenda {
  const { [nome]: _before, ...rest } = agenda
  return janela === null ? rest : { ...rest, [nome]: janela }
}

/** Compares by IA, because the order of the entries does not matter. */
const sameAgenda = (a: Agenda, b: Agenda) =>
  nomesIas.every((nome) => JSON.stringify(a[nome] ?? null) === JSON.stringify(b[nome] ?? null))

/** The hours in which each enabled IA is armed. */
export function HorariosPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const { fuso } = useEmpresa(opened.empresa_id)
  const [agenda, setAgenda] = useState(opened.agenda)
  const ias = opened.eventos_habilitados
  const patch = sameAgenda(agenda, opened.agenda) ? null : { agenda }
  const copy = (janela: Janela | null) => setAgenda(ias.reduce((all, nome) => withWindow(all, nome, janela), agenda))
  return (
    <>
      <Soft>{t('camera.horarios.ajuda', { fuso: fuso ?? '…' })}</Soft>
      {ias.length === 0 && <NoIas camera={opened} />}
      <ul className={classes.cards} aria-label={t('camera.abas.horarios')}>
        {ias.map((nome) => {
          const janela = agenda[nome] ?? null
          return (
            <li key={nome} className={classes.card}>
              <div className={classes.row}>
                <h2>{textsOfIa(nome).titulo}</h2>
                <NativeSelect
                  aria-label={t('camera.horarios.quando', { nome: textsOfIa(nome).titulo })}
                  value={janela === null ? 'sempre' : 'janela'}
                  onChange={(event) =>
                    setAgenda(
                      withWindow(
                        agenda,
                        nome,
                        event.currentTarget.value === 'sempre' ? null : { inicio: 22, fim: 6, dias: [] },
                      ),
                    )
                  }
                  data={[
                    { value: 'sempre', label: t('camera.horarios.sempre') },
                    { value: 'janela', label: t('camera.horarios.emHorario') },
                  ]}
                />
              </div>
              {janela !== null && (
                <WindowEditor
                  name={textsOfIa(nome).titulo}
                  janela={janela}
                  onChange={(next) => setAgenda(withWindow(agenda, nome, next))}
                />
              )}
              {ias.length > 1 && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="sm"
                  style={{ alignSelf: 'start' }}
                  aria-label={t('camera.horarios.copiarRotulo', { nome: textsOfIa(nome).titulo })}
                  onClick={() => copy(janela)}
                >
                  {t('camera.horarios.copiar')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {ias.length > 0 && <SimulationPanel camera={opened} proposal={patch} />}
      <SaveBar save={save} patch={patch} onReset={(stored) => setAgenda(stored.agenda)} />
    </>
  )
}

/** Shown in place of settings for enabled IAs. */
export function NoIas({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  return (
    <p className={classes.warn}>
      {t('camera.horarios.semIa')}{' '}
      <Link to="/cameras/$id/o-que-vigia" params={{ id: String(camera.id) }} className={classes.link}>
        {t('camera.horarios.ligarIa')}
      </Link>
    </p>
  )
}
