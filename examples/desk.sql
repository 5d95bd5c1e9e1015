-- A small help desk of the invented river association: the demo's database. `examples/demo.py` runs this file once.
create table tickets (
    id integer primary key,
    subject text not null,
    body text not null,
    answer text not null,
    status text not null,
    opened_at text not null,
    changed_at text not null
);

insert into tickets values
(101, 'Gauge at Mill Bridge shows the same level for hours', 'Since yesterday evening Mill Bridge has shown 84 cm without any change. It has been raining all night.', 'The radar was covered by a spider''s web. A volunteer removed it at noon and the readings are right again. The values of that night are marked R and were not used.', 'closed', '2026-04-09T07:40:00Z', '2026-04-09T13:05:00Z'),
(102, 'How do I get on the call list for flood alarms?', 'I live in Weaver Street and would like to be told when the water rises.', 'Write your name, address and mobile number to the station house. You receive a test message within two days. The alarm is sent at 2.9 metres at the Quellin gauge.', 'closed', '2026-04-11T16:20:00Z', '2026-04-13T09:00:00Z'),
(103, 'CSV file opens with strange characters', 'When I open the file of Oster in my spreadsheet the degree sign looks odd.', 'The files are in UTF-8. Choose that encoding when the import asks for it; in older programs use the menu Data, then From text.', 'closed', '2026-06-10T08:15:00Z', '2026-06-10T10:30:00Z'),
(104, 'Are the times in summer time?', 'The peak of 3 June seems to be two hours early in your data.', 'All times are in UTC. In summer local time is two hours ahead, so the peak that you saw at 15:00 stands at 13:00 in the file.', 'closed', '2026-06-12T18:02:00Z', '2026-06-15T08:10:00Z'),
(105, 'Sample bottle arrived warm', 'My cooling bag had a hole and the bottle from the Lenn was at 15 degrees when I handed it in.', 'Such a sample cannot be used, because bacteria go on eating nitrate above eight degrees. Please take a new one this week; a new bag is waiting at the station house.', 'closed', '2026-06-30T11:45:00Z', '2026-07-01T08:00:00Z'),
(106, 'May I paddle from Oster to Aldern?', 'We planned a canoe trip with children for Saturday.', 'Not at the moment. The stretch is closed for boats while the gauge at Oster is below 45 centimetres. Below Aldern you may paddle.', 'closed', '2026-07-30T09:12:00Z', '2026-07-30T09:50:00Z'),
(107, 'Lost my login for the volunteers'' page', 'I changed my telephone and the code no longer arrives.', 'We have sent a new invitation to your mail address. It is valid for three days. The old telephone has been removed.', 'closed', '2026-08-03T20:33:00Z', '2026-08-04T08:05:00Z'),
(108, 'Is there a place left in the September course?', 'I only heard of it today.', 'All sixteen places are taken and four people are waiting. The next course is in March. You are on the list now.', 'closed', '2026-08-25T12:00:00Z', '2026-08-26T09:30:00Z'),
(109, 'Receipt for my donation', 'I gave 100 crowns in August and need a receipt for the tax office.', 'Receipts for all gifts of a year are sent in February of the next. For gifts below 200 crowns the bank statement is enough.', 'closed', '2026-09-14T14:25:00Z', '2026-09-16T10:00:00Z'),
(110, 'Solar panel at Aldern Weir is loose', 'One of the two screws is missing and the panel bangs in the wind.', 'Thank you. Jonas will bring a screw and a ladder on Friday. Until then the station runs on its battery, which lasts nine days without sun.', 'open', '2026-11-02T07:55:00Z', '2026-11-02T12:40:00Z'),
(111, 'Which phone number do I call when the alarm sounds at night?', 'The message says that I should call, but the number of the station house goes to a machine.', 'At night call the control centre of the fire brigade. The station house answers from seven to nineteen. The text of the message has been corrected.', 'closed', '2026-11-05T06:18:00Z', '2026-11-06T08:45:00Z'),
(112, 'Can our school borrow a measuring kit?', 'Class 7b would like to measure the Lenn for a week in spring.', 'Gladly. There are three kits, each with strips for nitrate, a thermometer and nets. Schools borrow them free of charge for up to fourteen days.', 'open', '2026-11-10T10:05:00Z', '2026-11-12T15:20:00Z');
