import type { EditionOutline } from '#contract/reader/outline-pairs.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SavedSettings } from '#web/ui/saved-settings.tsx';
import { Section } from '#web/ui/section.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';
import { useSettingsForm } from '#web/ui/use-settings-form.ts';
import { languageWord } from './edition-words.ts';
import { type SavedPairs, useOutlines, useSavePairs } from './outline-pairs.api.ts';
import classes from './outline-pairs.module.css';
import { type Decisions, fieldOf, formOf, inputOf, readyPartOf } from './outline-pairs-form.ts';
import { PartPairs } from './outline-pairs-part.tsx';

/** For the owner: which chapters and sections of the two languages belong together, suggested and adjusted by hand. */
export function OutlinePairs() {
	return (
		<Section title={m.pairs_title()} intro={m.pairs_intro()}>
			<SavedSettings query={useOutlines()} failed={m.pairs_load_failed()}>
				{(saved, lookAgain) => <Fields saved={saved} lookAgain={lookAgain} />}
			</SavedSettings>
		</Section>
	);
}

interface FieldsProps {
	saved: SavedPairs;
	lookAgain: () => Promise<SavedPairs | undefined>;
}

function Fields({ saved, lookAgain }: FieldsProps) {
	const { form, errors, theirs, refusal, change, submit, isTyped, isSaving } = useSettingsForm({
		saved,
		lookAgain,
		formOf,
		inputOf: (typed) => ({ input: inputOf(typed, saved) }),
		save: useSavePairs(),
	});
	const canSave = saved.parts.some((part) => readyPartOf(part) !== null);
	return (
		<form className={classes.form} onSubmit={submit} noValidate>
			<LeaveQuestion isUnsaved={isTyped} />
			{saved.parts.map((part) => {
				const ready = readyPartOf(part);
				const field = fieldOf(part.part);
				return (
					<section key={part.part} className={classes.part} aria-label={m.pairs_part({ part: part.part })}>
						{ready === null ? (
							<>
								<h3 className={classes.title}>{m.pairs_part({ part: part.part })}</h3>
								<WhyNone part={part} />
							</>
						) : (
							<PartPairs
								ready={ready}
								decisions={form[field]}
								theirs={theirs?.[field]}
								errors={errors}
								onChange={(decisions: Decisions) => change({ [field]: decisions })}
							/>
						)}
					</section>
				);
			})}
			{refusal !== undefined && <Notice tone="negative">{refusal.text}</Notice>}
			{canSave && (
				<div>
					<Button type="submit" variant="primary" disabled={isSaving || !isTyped}>
						{isSaving ? m.pairs_saving() : m.pairs_save()}
					</Button>
				</div>
			)}
		</form>
	);
}

/** Why nothing can be paired: a file is missing, still being read, without an outline, or cannot be read. */
function WhyNone({ part: { en, hi } }: { part: SavedPairs['parts'][number] }) {
	if (en === null && hi === null) return <p className={classes.hint}>{m.pairs_missing_both()}</p>;
	if (en === null || hi === null)
		return <p className={classes.hint}>{m.pairs_missing({ language: languageWord(en === null ? 'en' : 'hi') })}</p>;
	return (
		<>
			<WhyNot outline={en} language={languageWord('en')} />
			<WhyNot outline={hi} language={languageWord('hi')} />
		</>
	);
}

function WhyNot({ outline, language }: { outline: EditionOutline; language: string }) {
	if (outline.state === 'failed')
		return <Notice tone="negative">{m.pairs_failed({ language, problem: outline.problem })}</Notice>;
	if (outline.state === 'reading') {
		return (
			<div className={classes.reading}>
				<p className={classes.hint}>{m.pairs_reading({ language })}</p>
				<SkeletonLines label={m.pairs_reading({ language })} count={2} height="44px" />
			</div>
		);
	}
	return outline.entries.length === 0 ? <Notice tone="info">{m.pairs_empty({ language })}</Notice> : null;
}
