-- It was told which of the attempts given count; now it is given those.
drop function if exists note_webhook_outcomes(smallint[], integer[], integer[], boolean[], bigint[]);
