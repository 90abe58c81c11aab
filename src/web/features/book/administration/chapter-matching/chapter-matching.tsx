import { Stack } from '@mantine/core';
import type { EditionOutline } from '#contract/book/chapter-matching.ts';
import { m } from '#messages';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { languageLabel } from '../../shelf/edition-labels.ts';
import classes from '../administration.module.css';
import { type SavedChapterMatches, useEditionOutlines, useSaveChapterMatches } from './chapter-matching-api.ts';
import { type Decisions, fieldOfPart, findMatchablePart, formOf, inputOf } from './chapter-matching-form.ts';
import { ChapterMatchingPart } from './chapter-matching-part.tsx';

/** Lets the owner match chapters and sections of the two languages; matches are suggested and can be changed. */
export function ChapterMatching() {
	return (
		<Section title={m.chapter_matching_title()} intro={m.chapter_matching_intro()}>
			<LoadedSettings query={useEditionOutlines()} failed={m.chapter_matching_load_failed()}>
				{(saved, refetch) => <ChapterMatchingFields saved={saved} refetch={refetch} />}
			</LoadedSettings>
		</Section>
	);
}

interface ChapterMatchingFieldsProps {
	saved: SavedChapterMatches;
	refetch: () => Promise<SavedChapterMatches | undefined>;
}

function ChapterMatchingFields({ saved, refetch }: ChapterMatchingFieldsProps) {
	const { form, errors, remoteForm, saveError, change, submit, isDirty, isSaving } = useSettingsForm({
		saved,
		refetch,
		formOf,
		inputOf: (typed) => ({ input: inputOf(typed, saved) }),
		save: useSaveChapterMatches(),
	});
	const canSave = saved.parts.some((part) => findMatchablePart(part) !== null);
	return (
		<form className={classes.form} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={isDirty} />
			{saved.parts.map((part) => {
				const ready = findMatchablePart(part);
				const field = fieldOfPart(part.part);
				return (
					<section key={part.part} className={classes.part} aria-label={m.chapter_matching_part({ part: part.part })}>
						{ready === null ? (
							<>
								<h3 className={classes.title}>{m.chapter_matching_part({ part: part.part })}</h3>
								<UnavailableReason part={part} />
							</>
						) : (
							<ChapterMatchingPart
								ready={ready}
								decisions={form[field]}
								theirs={remoteForm?.[field]}
								errors={errors}
								onChange={(decisions: Decisions) => change({ [field]: decisions })}
							/>
						)}
					</section>
				);
			})}
			{saveError !== undefined && <Notice tone="negative">{saveError.text}</Notice>}
			{canSave && (
				<div>
					<Button type="submit" variant="primary" disabled={isSaving || !isDirty}>
						{isSaving ? m.chapter_matching_saving() : m.chapter_matching_save()}
					</Button>
				</div>
			)}
		</form>
	);
}

/** Says why a part cannot be matched: a file is missing, still being read, has no outline, or cannot be read. */
function UnavailableReason({ part: { en, hi } }: { part: SavedChapterMatches['parts'][number] }) {
	if (en === null && hi === null) return <p className={classes.hint}>{m.chapter_matching_editions_missing()}</p>;
	if (en === null || hi === null) {
		const language = languageLabel(en === null ? 'en' : 'hi');
		return <p className={classes.hint}>{m.chapter_matching_edition_missing({ language })}</p>;
	}
	return (
		<>
			<OutlineProblem outline={en} language={languageLabel('en')} />
			<OutlineProblem outline={hi} language={languageLabel('hi')} />
		</>
	);
}

function OutlineProblem({ outline, language }: { outline: EditionOutline; language: string }) {
	if (outline.state === 'failed')
		return <Notice tone="negative">{m.chapter_matching_outline_failed({ language, problem: outline.problem })}</Notice>;
	if (outline.state === 'reading') {
		const label = m.chapter_matching_outline_reading({ language });
		return (
			<Stack gap={8}>
				<p className={classes.hint}>{label}</p>
				<SkeletonLines label={label} count={2} height="44px" />
			</Stack>
		);
	}
	if (outline.entries.length > 0) return null;
	return <Notice tone="info">{m.chapter_matching_outline_empty({ language })}</Notice>;
}
