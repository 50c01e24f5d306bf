"""What is seen: functions of arrays; a frame in, a reading out. Imports rules and models."""
