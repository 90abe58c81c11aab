import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Fault, FileButton } from '#web/ui/file-button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { useUploadQr } from './settings.api.ts';
import classes from './settings-dialog.module.css';

interface QrFieldProps {
	initialUrl: string | null;
	/** Saved: buyers see a QR code that is drawn with it, and not this picture. */
	hasUpiId: boolean;
	onUploaded: () => void;
}

/** The payment QR: any file may be uploaded, only a picture is ever drawn. It is live at once. */
export function QrField({ initialUrl, hasUpiId, onUploaded }: QrFieldProps) {
	const upload = useUploadQr();
	const [url, setUrl] = useState(initialUrl);
	const [isNoPicture, setNoPicture] = useState(false);

	const send = (file: File) => {
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
					{url === null ? (
						m.orders_qr_none()
					) : (
						<img src={url} alt={hasUpiId ? m.orders_qr_kept_preview() : m.orders_qr_preview()} />
					)}
				</div>
				<div className={classes.qrWords}>
					<FileButton
						label={m.orders_qr()}
						icon={<IconUpload {...iconProps} />}
						disabled={upload.isPending}
						onFile={send}
					>
						{upload.isPending ? m.orders_qr_uploading() : m.orders_qr_upload()}
					</FileButton>
					<p className={classes.hint}>
						{isNoPicture ? m.orders_qr_no_picture() : hasUpiId ? m.orders_qr_kept_hint() : m.orders_qr_hint()}
					</p>
					<Fault text={upload.isError ? describeFailure(upload.error).message : undefined} />
				</div>
			</div>
		</fieldset>
	);
}
