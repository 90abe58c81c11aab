import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { fieldError } from '#web/ui/field.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { useUploadQr } from './settings.api.ts';
import classes from './settings-dialog.module.css';

/** The payment QR: any file may be uploaded, only a picture is ever drawn. It is live at once. */
export function QrField({ initialUrl, onUploaded }: { initialUrl: string | null; onUploaded: () => void }) {
	const input = useRef<HTMLInputElement>(null);
	const upload = useUploadQr();
	const [url, setUrl] = useState(initialUrl);
	const [isNoPicture, setNoPicture] = useState(false);

	const send = (file: File | undefined) => {
		if (file === undefined) return;
		upload.mutate(file, {
			onSuccess: ({ qrCodeUrl }) => {
				setUrl(qrCodeUrl);
				setNoPicture(qrCodeUrl === null);
				onUploaded();
			},
		});
	};

	return (
		<fieldset className={classes.group}>
			<legend>{m.orders_qr()}</legend>
			<div className={classes.qr}>
				<div className={classes.picture}>
					{url === null ? m.orders_qr_none() : <img src={url} alt={m.orders_qr_preview()} />}
				</div>
				<div className={classes.qrWords}>
					<input
						ref={input}
						type="file"
						className={classes.file}
						tabIndex={-1}
						aria-label={m.orders_qr()}
						onChange={(event) => {
							send(event.currentTarget.files?.[0]);
							// The same file may be chosen again after a failure.
							event.currentTarget.value = '';
						}}
					/>
					<Button
						icon={<IconUpload {...iconProps} />}
						disabled={upload.isPending}
						onClick={() => input.current?.click()}
					>
						{upload.isPending ? m.orders_qr_uploading() : m.orders_qr_upload()}
					</Button>
					<p className={classes.hint}>{isNoPicture ? m.orders_qr_no_picture() : m.orders_qr_hint()}</p>
					<div className={classes.error} role="alert">
						{upload.isError && fieldError(describeFailure(upload.error).message)}
					</div>
				</div>
			</div>
		</fieldset>
	);
}
