import { Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { type Horarios, horarioOf, janelaOf } from '@vigia/contracts/horarios'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import type { Janela } from '@vigia/ias/agenda'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Column } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { FeriadosFields } from './feriados-fields.tsx'
import { HoursEditor, NIGHT } from './hours-editor.tsx'
import { SaveBar } from './save-bar.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['horarios'] as const

/** The hours with other windows for `nome`; null: always armed. */
function withWindows(horarios: Horarios, nome: NomeIa, janelas: readonly Janela[] | null): Horarios {
  const { [nome]: _before, ...rest } = horarios
  return janelas === null ? rest : { ...rest, [nome]: janelas.map(horarioOf) }
}

/** Compares by IA, because the order of the entries does not matter. */
const sameHorarios = (a: Horarios, b: Horarios) =>
  ([...nomesIas, 'feriados'] as const).every(
    (nome) => JSON.stringify(a[nome] ?? null) === JSON.stringify(b[nome] ?? null),
  )

/** The hours in which each enabled IA is armed, and the holidays. */
export function HorariosPage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS, 'horarios')
  const { opened } = save
  const { fuso } = useEmpresa(opened.empresa_id)
  const [horarios, setHorarios] = useState(opened.horarios)
  const ias = opened.eventos_habilitados
  const patch = sameHorarios(horarios, opened.horarios) ? null : { horarios }
  const copy = (janelas: readonly Janela[] | null) =>
    setHorarios(ias.reduce((all, nome) => withWindows(all, nome, janelas), horarios))
  return (
    <>
      <Soft>{t('camera.horarios.ajuda', { fuso: fuso ?? '…' })}</Soft>
      {ias.length === 0 && <NoIas camera={opened} />}
      <ul className={classes.cards} aria-label={t('camera.abas.horarios')}>
        {ias.map((nome) => {
          const janelas = horarios[nome]?.map(janelaOf) ?? null
          const { titulo } = textsOfIa(nome)
          return (
            <li key={nome} className={classes.card}>
              <div className={classes.row}>
                <h2>{titulo}</h2>
                <NativeSelect
                  aria-label={t('camera.horarios.quando', { nome: titulo })}
                  value={janelas === null ? 'sempre' : 'janela'}
                  onChange={(event) =>
                    setHorarios(withWindows(horarios, nome, event.currentTarget.value === 'sempre' ? null : [NIGHT]))
                  }
                  data={[
                    { value: 'sempre', label: t('camera.horarios.sempre') },
                    { value: 'janela', label: t('camera.horarios.emHorario') },
                  ]}
                />
              </div>
              {janelas !== null && (
                <HoursEditor
                  name={titulo}
                  janelas={janelas}
                  onChange={(next) => setHorarios((now) => withWindows(now, nome, next))}
                />
              )}
              {ias.length > 1 && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="sm"
                  style={{ alignSelf: 'start' }}
                  aria-label={t('camera.horarios.copiarRotulo', { nome: titulo })}
                  onClick={() => copy(janelas)}
                >
                  {t('camera.horarios.copiar')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Column gap={9}>
        {ias.length > 0 && (
          <FeriadosFields
            empresaId={opened.empresa_id}
            feriados={horarios.feriados ?? null}
            onChange={(feriados) => setHorarios({ ...horarios, feriados })}
          />
        )}
        {ias.length > 0 && <SimulationPanel camera={opened} proposal={patch} />}
        <SaveBar save={save} patch={patch} onReset={(stored) => setHorarios(stored.horarios)} />
      </Column>
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
