import { Textarea } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { ImportProblem } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { fieldError } from '#web/ui/field.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useImportCredentials } from './credentials.api.ts';
import { readTextFile } from './credentials-file.ts';
import classes from './credentials-import-dialog.module.css';

const width = 640;
const shownProblems = 100;

/** Rows from a file or pasted; the report stands above them, and what was typed stays until all of it is added. */
export function ImportCredentialsDialog({ onClose }: { onClose: () => void }) {
	const load = useImportCredentials();
	const [csv, setCsv] = useState('');
	const [fileFault, setFileFault] = useState<string>();

	const submit = (event: FormEvent) => {
		event.preventDefault();
		load.mutate({ csv }, { onSuccess: ({ problems }) => problems.length === 0 && setCsv('') });
	};
	const takeFile = async (file: File | undefined) => {
		if (file === undefined) return;
		load.reset();
		if (file.size > limits.credentialImportMaxBytes) {
			setFileFault(m.credentials_import_file_large());
			return;
		}
		try {
			setCsv(await readTextFile(file));
			setFileFault(undefined);
		} catch {
			setFileFault(m.credentials_import_unread());
		}
	};

	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.credentials_import_title()}
			width={width}
			onSubmit={submit}
			isDismissible={csv === ''}
			foot={
				<>
					<Button onClick={onClose}>{load.data === undefined ? m.common_cancel() : m.common_close()}</Button>
					<Button type="submit" variant="primary" disabled={load.isPending || csv.trim() === ''}>
						{load.isPending ? m.credentials_import_busy() : m.credentials_import_submit()}
					</Button>
				</>
			}
		>
			<div className={classes.body}>
				{load.isError && <Notice tone="negative">{describeFailure(load.error).message}</Notice>}
				{load.data !== undefined && <Report {...load.data} />}
				<p className={classes.hint}>
					{m.credentials_import_hint({ count: formatCount(limits.credentialImportMaxRows) })}
				</p>
				<FileButton fault={fileFault} onFile={(file) => void takeFile(file)} />
				<Textarea
					label={m.credentials_import_text()}
					classNames={{ input: classes.text }}
					rows={8}
					wrap="off"
					spellCheck={false}
					placeholder={'username,state,id,password\nasha.verma,goa,GA-0001,…'}
					value={csv}
					onChange={(event) => setCsv(event.currentTarget.value)}
				/>
			</div>
		</Dialog>
	);
}

function FileButton({ fault, onFile }: { fault: string | undefined; onFile: (file: File | undefined) => void }) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<div>
			<input
				ref={input}
				type="file"
				accept=".csv,.txt,.tsv,text/csv,text/plain"
				className={classes.file}
				tabIndex={-1}
				aria-label={m.credentials_import_file()}
				onChange={(event) => {
					onFile(event.currentTarget.files?.[0]);
					// The same file may be chosen again after it was mended.
					event.currentTarget.value = '';
				}}
			/>
			<Button icon={<IconFileTypeCsv {...iconProps} />} onClick={() => input.current?.click()}>
				{m.credentials_import_file()}
			</Button>
			<div className={classes.fault} role="alert">
				{fieldError(fault)}
			</div>
		</div>
	);
}

function Report({ added, problems }: { added: number; problems: ImportProblem[] }) {
	const more = problems.length - shownProblems;
	return (
		<>
			<Notice tone={added > 0 ? 'positive' : 'info'}>
				{m.credentials_import_done({ count: added, shown: formatCount(added) })}
			</Notice>
			{problems.length > 0 && (
				<Notice tone="negative">
					{m.credentials_import_refused({ count: problems.length, shown: formatCount(problems.length) })}
					<ul className={classes.problems}>
						{problems.slice(0, shownProblems).map((problem) => (
							<li key={problem.line}>
								<b>{m.credentials_import_line({ line: problem.line })}</b>
								{namesOf(problem)}: {problem.reason}
							</li>
						))}
						{more > 0 && <li>{m.credentials_import_more({ count: formatCount(more) })}</li>}
					</ul>
				</Notice>
			)}
		</>
	);
}

function namesOf({ username, state }: ImportProblem): string {
	const names = [username, state].filter((name) => name !== '');
	return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
