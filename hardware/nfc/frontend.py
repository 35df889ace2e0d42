"""One opened reader: the only file that talks to nfcpy. Errors leave it as `FrontError` with words for people.

nfcpy is used unchanged. Its drivers keep the chip's antenna off between questions, so each `sense` stands alone.
"""

import errno
import logging
import threading
from typing import Any, Protocol

from hardware.nfc.discovery import Candidate
from hardware.nfc.line import ACK, Line
from hardware.nfc.said import said
from hardware.nfc.trouble import FrontError, explain

LOGGER = logging.getLogger(__name__)

_UNASKED = 0.08  # listening before speaking, on ports nobody named
_FAST = (921600, 460800, 230400)  # what nfcpy raises the PN532's speed to
_TO_115200 = bytes.fromhex("0000FF03FDD410041800")  # SetSerialBaudRate


class Front(Protocol):
    """What `Reader` needs of an opened device."""

    model: str

    def open(self) -> None: ...
    def handshake(self) -> None: ...
    def sense(self, uid: bytes | None) -> bytes | None: ...
    def close(self) -> None: ...
    def cancel(self) -> None: ...


def front_for(candidate: Candidate) -> Front:
    """The right kind of front for a candidate."""
    return UsbFront(candidate) if candidate.usb else SerialFront(candidate)


_IMPORT = threading.Lock()


def _nfcpy() -> Any:
    """nfcpy, with its own error log silenced: what fails is reported by us, once and in plain words."""
    with _IMPORT:
        import nfc.clf  # noqa: PLC0415 - heavy, and without any reader not needed
        import nfc.clf.pn532  # noqa: PLC0415

        logger = logging.getLogger("nfc")
        if logger.level == logging.INFO:  # as nfcpy sets it; a level somebody chose for debugging stays
            logger.setLevel(logging.CRITICAL)
        return nfc


class _NfcFront:
    """What both kinds share: questions to the field."""

    def __init__(self, candidate: Candidate) -> None:
        self.model = ""
        self._device = candidate.device
        self._named = candidate.named
        self._clf: Any = None

    def sense(self, uid: bytes | None) -> bytes | None:
        """Ask the field for any type A tag, or for the one with this UID."""
        nfc = _nfcpy()
        target = nfc.clf.RemoteTarget("106A")
        if uid is not None:
            target.sel_req = bytearray(uid)
        try:
            found = self._clf.sense(target)
        except Exception as error:
            raise self._fault(error) from error
        return bytes(found.sdd_res) if found is not None and found.sdd_res else None

    def _fault(self, error: BaseException) -> FrontError:
        LOGGER.debug("%s: %r", self._device, error, exc_info=error)
        if not isinstance(error, OSError):  # nfcpy stumbles over impossible answers in many ways
            return FrontError(said("garbled", device=self._device))
        return explain(error, self._device)

    def _introduce(self) -> None:
        self.model = str(self._clf.device).partition(" at ")[0] or "reader"

    def _leave(self) -> None:
        """Let nfcpy say good-bye to the chip (speed back to normal, sleep)."""
        clf, self._clf = self._clf, None
        if clf is not None:
            try:
                clf.close()
            except Exception as error:  # noqa: BLE001 - whatever is wrong with a device we are leaving
                LOGGER.debug("%s: while closing: %r", self._device, error)


class SerialFront(_NfcFront):
    """A PN532 behind a serial port."""

    def __init__(self, candidate: Candidate) -> None:
        super().__init__(candidate)
        self._line = Line(candidate.device)

    def open(self) -> None:
        """Lock and open the port; on one nobody named, listen before speaking."""
        try:
            self._line.open(self._device)
            if not self._named and self._line.listen(_UNASKED):
                raise FrontError(said("talker", device=self._device), fatal=True)
        except OSError as error:
            raise explain(error, self._device) from error

    def handshake(self) -> None:
        """Greet the chip through nfcpy's driver; one that a dead program left at high speed is called back first."""
        nfc = _nfcpy()
        clf = nfc.clf.ContactlessFrontend()
        try:
            try:
                clf.device = nfc.clf.pn532.init(self._line)
            except Exception:
                if self._line.gone or not self._call_back():
                    raise
                clf.device = nfc.clf.pn532.init(self._line)
        except Exception as error:
            raise self._refusal(error) from error
        clf.device._path = self._device  # noqa: SLF001 - nfcpy's `connect` does so, but its paths cannot name every port
        self._clf = clf
        self._introduce()

    def cancel(self) -> None:
        self._line.cancel()

    def close(self) -> None:
        """Leave the chip as it was found, and the port."""
        self._line.resume()
        if self._line.gone:
            self._clf = None
        self._leave()
        self._line.close()

    def _refusal(self, error: Exception) -> FrontError:
        LOGGER.debug("%s: %r", self._device, error, exc_info=error)
        code = error.errno if isinstance(error, OSError) else None
        if self._line.gone or code in {errno.EACCES, errno.ENOENT}:
            return explain(error if code in {errno.EACCES, errno.ENOENT} else OSError(errno.ENODEV, "gone"), self._device)
        return FrontError(said("stranger" if self._line.heard else "silent", device=self._device))

    def _call_back(self) -> bool:
        """Try the speeds nfcpy uses; True if a chip answered there and was told to come back to 115,200 baud."""
        if self._line.heard:
            return False  # it speaks at this speed, so it is something else
        try:
            for speed in _FAST:
                self._line.open(self._device, speed)
                self._line.write(bytes(10) + _TO_115200)
                try:
                    if self._line.read(100) == ACK:
                        self._line.read(100)
                        self._line.write(ACK)
                        return True
                except OSError as error:
                    if self._line.gone or error.errno == errno.ECANCELED:
                        raise
            return False
        finally:
            if not self._line.gone:
                self._line.open(self._device, 115200)

    def _fault(self, error: BaseException) -> FrontError:
        if self._line.gone:
            return FrontError(said("lost", device=self._device), fatal=True)
        if isinstance(error, OSError) and error.errno == errno.EIO:
            return FrontError(said("garbled", device=self._device))
        return super()._fault(error)


class UsbFront(_NfcFront):
    """A reader on USB that nfcpy has a driver for."""

    def open(self) -> None:
        """Nothing: nfcpy opens and greets in one step."""

    def handshake(self) -> None:
        """Let nfcpy open the reader and load its driver."""
        clf = _nfcpy().clf.ContactlessFrontend()
        try:
            opened = clf.open(self._device)
        except Exception as error:
            raise self._fault(error) from error
        if not opened:
            raise FrontError(said("stranger", device=self._device))
        self._clf = clf
        self._introduce()

    def cancel(self) -> None:
        """Nothing to cancel: nfcpy's USB reads end by themselves within a second."""

    def close(self) -> None:
        self._leave()
