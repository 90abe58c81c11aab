import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type EditionOutline, matchesKeyOf } from '#contract/book/chapter-matching.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSaved } from '#web/platform/browser/toasts.ts';
import { LoadedSettings } from '#web/ui/forms/loaded-settings.tsx';
import { UnsavedChangesGuard } from '#web/ui/forms/unsaved-changes-guard.tsx';
import { useSettingsForm } from '#web/ui/forms/use-settings-form.ts';
import { Section, SubsectionHeader } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { languageLabel } from '../../shelf/edition-labels.ts';
import { useBookOutline } from '../../shelf/shelf-api.ts';
import classes from '../administration.module.css';
import {
	findMatchablePart,
	formOf,
	inputOf,
	matchingTitle,
	type SavedChapterMatches,
} from './chapter-matching-form.ts';
import { ChapterMatchingPart } from './chapter-matching-part.tsx';

/** Poll interval while the server extracts an outline. Without polling, a lost event would leave the form waiting. */
const pollIntervalMs = 3000;

export function ChapterMatching() {
	const outlines = useQuery({
		...api.outlinePairs.get.queryOptions(),
		staleTime: 0,
		refetchInterval: ({ state }) =>
			state.data?.parts.some(({ en, hi }) => en?.state === 'reading' || hi?.state === 'reading') === true
				? pollIntervalMs
				: false,
	});
	const { data } = outlines;
	// A book in one language has nothing to match.
	if (data?.parts.length === 0) return null;
	const languages = new Set(data?.parts.flatMap(({ firstLanguage, language }) => [firstLanguage, language]));
	const title = languages.size > 2 ? m.chapter_matching_title_all() : m.chapter_matching_title();
	return (
		<Section title={title} intro={m.chapter_matching_intro()}>
			<LoadedSettings query={outlines} failed={m.chapter_matching_load_failed()}>
				{(saved, refetch) => <ChapterMatchingFields saved={saved} refetch={refetch} />}
			</LoadedSettings>
		</Section>
	);
}

function ChapterMatchingFields(props: {
	saved: SavedChapterMatches;
	refetch: () => Promise<SavedChapterMatches | undefined>;
}) {
	const { saved } = props;
	const { form, errors, remoteForm, saveError, change, submit, isDirty, isSaving } = useSettingsForm({
		...props,
		formOf,
		inputOf: (typed) => ({ input: inputOf(typed, saved) }),
		save: useChange(client.outlinePairs.save, {
			refetch: [api.outlinePairs.key()],
			onSuccess: () => toastSaved(m.chapter_matching_saved()),
			onError: shownInForm,
		}),
	});
	const { offered } = useBookOutline();
	const canSave = saved.parts.some((part) => findMatchablePart(part) !== null);
	return (
		<form className={classes.form} onSubmit={submit} noValidate>
			<UnsavedChangesGuard isUnsaved={isDirty} />
			{saved.parts.map((part) => {
				const ready = findMatchablePart(part);
				const key = matchesKeyOf(part);
				const title = matchingTitle(offered, saved, part);
				return (
					<section key={key} className={classes.part} aria-label={title}>
						{ready === null ? (
							<>
								<SubsectionHeader title={title} />
								<UnavailableReason part={part} />
							</>
						) : (
							<ChapterMatchingPart
								title={title}
								ready={ready}
								decisions={form[key] ?? {}}
								theirs={remoteForm?.[key]}
								errors={errors}
								onChange={(decisions) => change({ [key]: decisions })}
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

function UnavailableReason({ part }: { part: SavedChapterMatches['parts'][number] }) {
	const { en, hi } = part;
	const { offered } = useBookOutline();
	const [first, other] = [languageLabel(offered, part.firstLanguage), languageLabel(offered, part.language)];
	if (en === null && hi === null) return <p className={textClasses.note}>{m.chapter_matching_editions_missing()}</p>;
	if (en === null || hi === null) {
		const language = en === null ? first : other;
		return <p className={textClasses.note}>{m.chapter_matching_edition_missing({ language })}</p>;
	}
	return (
		<>
			<OutlineProblem outline={en} language={first} />
			<OutlineProblem outline={hi} language={other} />
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
				<p className={textClasses.note}>{label}</p>
				<SkeletonLines label={label} count={2} height="44px" />
			</Stack>
		);
	}
	if (outline.entries.length > 0) return null;
	return <Notice tone="info">{m.chapter_matching_outline_empty({ language })}</Notice>;
}
