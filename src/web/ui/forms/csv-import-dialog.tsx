import { Box, Stack, Textarea } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { Failure } from '#web/platform/api/failure.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { readTextFile } from '#web/platform/formats/text-file.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { Button } from '../primitives/button.tsx';
import { FileButton, InputError } from '../primitives/file-button.tsx';
import { Notice } from '../states/notice.tsx';

const width = 640;
const shownProblems = 100;

interface CsvReport {
	added: number;
	addedText: string;
	/** Rows that were not imported. `about`: the text that identifies the row; may be ''. */
	problems: { line: number; about: string; reason: string }[];
}

interface CsvImportDialogProps {
	onClose: () => void;
	title: string;
	hint: string;
	example: string;
	maxBytes: number;
	importCall: {
		mutate(input: { csv: string }, options: { onSuccess: (report: { rest: string }) => void }): void;
		reset(): void;
		isPending: boolean;
		failure: Failure | undefined;
	};
	report: CsvReport | undefined;
}

/** Imports rows from a file or pasted text. Rejected rows stay in the text field, where the user can correct them. */
export function CsvImportDialog({ onClose, title, hint, example, maxBytes, importCall, report }: CsvImportDialogProps) {
	const [csv, setCsv] = useState('');
	/** Rows that the last import rejected. They are not treated as unsaved input. */
	const [rest, setRest] = useState('');
	const [reports, setReports] = useState(0);
	const [fileError, setFileError] = useState<string>();

	const submit = (event: FormEvent) => {
		event.preventDefault();
		importCall.mutate(
			{ csv },
			{
				onSuccess: (done) => {
					setCsv(done.rest);
					setRest(done.rest);
					setReports(reports + 1);
				},
			},
		);
	};
	const loadFile = async (file: File) => {
		importCall.reset();
		if (file.size > maxBytes) {
			setFileError(m.credentials_import_file_large());
			return;
		}
		try {
			setCsv(await readTextFile(file));
			setFileError(undefined);
		} catch {
			setFileError(m.credentials_import_unread());
		}
	};

	return (
		<Dialog
			onClose={onClose}
			title={title}
			width={width}
			onSubmit={submit}
			isDirty={csv !== rest}
			footer={
				<>
					<Button onClick={onClose}>{report === undefined ? m.common_cancel() : m.common_close()}</Button>
					<Button type="submit" variant="primary" disabled={importCall.isPending || csv.trim() === ''}>
						{importCall.isPending ? m.credentials_import_busy() : m.credentials_import_submit()}
					</Button>
				</>
			}
		>
			<Stack gap={16} miw={0}>
				{importCall.failure && <Notice tone="negative">{importCall.failure.message}</Notice>}
				{report !== undefined && <Report key={reports} {...report} />}
				<Box component="p" c="var(--ink-2)">
					{hint}
				</Box>
				<Stack align="flex-start" gap={6}>
					<FileButton
						label={m.credentials_import_file()}
						accept=".csv,.txt,.tsv,text/csv,text/plain"
						icon={IconFileTypeCsv}
						onFile={(file) => void loadFile(file)}
					>
						{m.credentials_import_file()}
					</FileButton>
					<InputError text={fileError} />
				</Stack>
				<Textarea
					label={m.credentials_import_text()}
					styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 'var(--text-13)', whiteSpace: 'pre' } }}
					rows={8}
					wrap="off"
					spellCheck={false}
					placeholder={example}
					value={csv}
					readOnly={importCall.isPending}
					onChange={(event) => setCsv(event.currentTarget.value)}
				/>
			</Stack>
		</Dialog>
	);
}

function Report({ added, addedText, problems }: CsvReport) {
	const more = problems.length - shownProblems;
	const container = useRef<HTMLDivElement>(null);
	// The button that had the focus is now disabled.
	useEffect(() => container.current?.focus(), []);
	return (
		<Stack ref={container} gap={16} tabIndex={-1}>
			<Notice tone={added > 0 ? 'positive' : 'info'}>{addedText}</Notice>
			{problems.length > 0 && (
				<Notice tone="negative">
					{m.credentials_import_refused({ count: problems.length, shown: formatCount(problems.length) })}
					<Stack component="ul" gap={4} mah={200} mt={8} style={{ overflow: 'auto', overflowWrap: 'anywhere' }}>
						{problems.slice(0, shownProblems).map(({ line, about, reason }) => (
							<li key={line}>
								<b>{m.credentials_import_line({ line })}</b>
								{about === '' ? '' : ` (${about})`}: {reason}
							</li>
						))}
						{more > 0 && <li>{m.credentials_import_more({ count: formatCount(more) })}</li>}
					</Stack>
					<p>{m.credentials_import_rest()}</p>
				</Notice>
			)}
		</Stack>
	);
}
